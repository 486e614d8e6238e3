import type { IncomingHttpHeaders } from 'node:http'
import type { Meters } from '../metrics/meters.ts'
import type { WorkContext } from '../work-context.ts'
import type { TracedRequest, Tracing } from './tracing.ts'

/** What a server needs to run each request in the trace that it belongs to, known to the log by its identifier, and counted when it has ended. */
export function tracedRequests(
  tracing: Tracing,
  { context, meters }: { context: WorkContext; meters: Pick<Meters, 'requestEnded'> },
) {
  return {
    within(facts: { requestId: string }, work: () => void, { traceparent, tracestate }: IncomingHttpHeaders): void {
      // Node makes one text of several headers, as the recommendation wants it.
      const request = { ...facts, traceparent: textOrNull(traceparent), tracestate: textOrNull(tracestate) }
      context.within(facts, () => tracing.beginRequest(request, work))
    },
    requestEnded(request: TracedRequest & Parameters<Meters['requestEnded']>[0]): void {
      meters.requestEnded(request)
      tracing.endRequest(request)
    },
  }
}

function textOrNull(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}
