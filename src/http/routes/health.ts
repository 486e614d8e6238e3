import { HealthSchema, type ReadinessResource, ReadinessSchema } from '../../api/health.ts'
import { ok, respond } from '../answers/answers.ts'
import { definePublicRoute, type Route } from '../route.ts'

/** API document, "Health": no key is needed. */
export const HEALTH_ROUTES: readonly Route[] = [
  definePublicRoute({
    method: 'GET',
    url: '/health',
    operationId: 'getHealth',
    summary: 'Whether the process answers',
    description: 'The process answers, whether or not database and object store work. No key is needed.',
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
    description:
      'Tries the database and the object store, and what is optional beside them, such as a language ' +
      'model. A load balancer sends requests where this is 200. No key is needed.',
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

/** The media type of Prometheus' text format, as its exporters name it. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const OPEN = definePublicRoute({
  method: 'GET',
  url: '/metrics',
  operationId: 'getMetrics',
  summary: 'What this process counts, as Prometheus reads it',
  description:
    'Counts and times of this process in the text format of Prometheus. An organization key is needed ' +
    'unless the operator made them public.',
  tag: 'Service',
  answers: { 200: { description: 'Text format 0.0.4.', contentType: 'text/plain' } },
  errors: [],
  handle: async ({ services }) => respond(200, { 'content-type': CONTENT_TYPE }, await services.metrics.print()),
})

/** Contract, "Around it": for an organization's key. */
export const METRICS_ROUTES: readonly Route[] = [{ ...OPEN, access: 'organization' }]

/** The same routes with the metrics for everyone who reaches the service. */
export function withOpenMetrics(routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => (route.operationId === OPEN.operationId ? OPEN : route))
}
