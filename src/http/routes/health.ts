import { HealthSchema, type ReadinessResource, ReadinessSchema } from '../../api/health.ts'
import { ok, respond } from '../answers/answers.ts'
import { definePublicRoute, type Route } from '../route.ts'

/** API document, "Health": no API key required. */
export const HEALTH_ROUTES: readonly Route[] = [
  definePublicRoute({
    method: 'GET',
    url: '/health',
    operationId: 'getHealth',
    summary: 'Liveness check',
    description:
      'Returns 200 while the process is running, even if the database or object store is down. No API ' +
      'key required.',
    tag: 'Health',
    answers: { 200: { description: 'The service is running.', schema: HealthSchema } },
    errors: [],
    handle: async ({ serviceInfo }) =>
      ok({ status: 'healthy', version: serviceInfo.version, timestamp: serviceInfo.now().toISOString() }),
  }),
  definePublicRoute({
    method: 'GET',
    url: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Readiness check',
    description:
      'Checks the database and the object store, and optional dependencies such as a language model. Use ' +
      'it for load balancers. No API key required.',
    tag: 'Health',
    answers: {
      200: { description: 'All required dependencies are available.', schema: ReadinessSchema },
      503: { description: 'A required dependency is unavailable.', schema: ReadinessSchema },
    },
    errors: [],
    handle: async ({ serviceInfo, services }) => {
      const { status, checks } = await services.health.ready()
      const body = { status, version: serviceInfo.version, timestamp: serviceInfo.now().toISOString(), checks }
      return status === 'ready' ? ok<ReadinessResource>(body) : respond(503, { 'retry-after': '5' }, body)
    },
  }),
]

/** Media type of the Prometheus text format. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const PUBLIC_METRICS_ROUTE = definePublicRoute({
  method: 'GET',
  url: '/metrics',
  operationId: 'getMetrics',
  summary: 'Prometheus metrics',
  description:
    'Returns the metrics of this process in the Prometheus text format. Requires an organization key ' +
    'unless the operator made metrics public.',
  tag: 'Service',
  answers: { 200: { description: 'Prometheus text format, version 0.0.4.', contentType: 'text/plain' } },
  errors: [],
  handle: async ({ services }) => respond(200, { 'content-type': CONTENT_TYPE }, await services.metrics.print()),
})

/** Contract, "Around it": requires an organization key. */
export const METRICS_ROUTES: readonly Route[] = [{ ...PUBLIC_METRICS_ROUTE, access: 'organization' }]

/** Returns the routes with public metrics. */
export function withPublicMetrics(routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => (route.operationId === PUBLIC_METRICS_ROUTE.operationId ? PUBLIC_METRICS_ROUTE : route))
}
