import { Type } from 'typebox'
import { ok } from '../../answers/answers.ts'
import { definePublicRoute, type Route } from '../../route.ts'
import { OneOf, Timestamp } from '../../schemas/values.ts'

const HealthSchema = Type.Object(
  { status: OneOf(['healthy']), version: Type.String(), timestamp: Timestamp },
  { $id: 'Health' },
)

const CheckSchema = Type.Object({
  status: OneOf(['up', 'down']),
  latencyMs: Type.Optional(Type.Number({ minimum: 0 })),
  error: Type.Optional(Type.String()),
  optional: Type.Optional(Type.Boolean()),
})

const ReadinessSchema = Type.Object(
  {
    status: OneOf(['ready', 'degraded']),
    version: Type.String(),
    timestamp: Timestamp,
    checks: Type.Record(Type.String(), CheckSchema),
  },
  { $id: 'Readiness' },
)

/** API document, "Health": no key is needed. */
export const HEALTH_ROUTES: readonly Route[] = [
  definePublicRoute({
    method: 'GET',
    url: '/health',
    operationId: 'getHealth',
    summary: 'Whether the process answers',
    tag: 'Health',
    answers: { 200: { description: 'It does.', schema: HealthSchema } },
    errors: [],
    handle: async ({ about }) =>
      ok({ status: 'healthy', version: about.version, timestamp: about.now().toISOString() }),
  }),
  definePublicRoute({
    method: 'GET',
    url: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Whether database and object store work',
    tag: 'Health',
    answers: {
      200: { description: 'They do.', schema: ReadinessSchema },
      503: { description: 'One of them does not.', schema: ReadinessSchema },
    },
    errors: [],
    handle: async ({ about, services }) => {
      const { status, checks } = await services.health.ready()
      const body = { status, version: about.version, timestamp: about.now().toISOString(), checks }
      return status === 'ready' ? ok(body) : { status: 503, headers: { 'retry-after': '5' }, body }
    },
  }),
]
