import { HealthSchema, type ReadinessResource, ReadinessSchema } from '../../../api/health.ts'
import { ok, respond } from '../../answers/answers.ts'
import { definePublicRoute, type Route } from '../../route.ts'

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
      return status === 'ready' ? ok<ReadinessResource>(body) : respond(503, { 'retry-after': '5' }, body)
    },
  }),
]
