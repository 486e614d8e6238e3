import { respond } from '../../answers/answers.ts'
import { definePublicRoute, type Route } from '../../route.ts'

/** The media type of Prometheus' text format, as its exporters name it. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const OPEN = definePublicRoute({
  method: 'GET',
  url: '/metrics',
  operationId: 'getMetrics',
  summary: 'What this process counts, as Prometheus reads it',
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
