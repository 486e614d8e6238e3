import type { TraceHeaders } from './trace-context.ts'

/**
 * Attributes of a span: our own names, numbers, identifiers. Never content of a document, a query
 * or a key.
 */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** A request's identifier and trace headers. */
type StartedRequest = { requestId: string } & TraceHeaders

/** A finished request; `route` is the template of its path, `null` without a route. */
export type TracedRequest = {
  requestId: string
  method: string
  route: string | null
  status: number
  isAborted: boolean
}

/** Creates spans for the work of the service. */
export type Tracing = {
  /** False if no span is ever created, so that nothing has to be wrapped. */
  isOn: boolean
  /**
   * Runs the work in a new span inside a trace; outside of a trace only runs it. Returns and throws
   * as the work does.
   */
  inSpan<Result>(name: string, work: () => Result, facts?: SpanFacts): Result
  /** Runs the work as the root of a new trace. */
  beginTrace<Result>(name: string, work: () => Result, facts?: SpanFacts): Result
  /** Runs the handling of a request; the span ends with `endRequest`. */
  beginRequest(request: StartedRequest, work: () => void): void
  endRequest(request: TracedRequest): void
  /** Records a finished call inside a trace. */
  recordCall(name: string, call: { seconds: number; isFailed: boolean; facts: SpanFacts }): void
  /** `trace_id` and `span_id` of the current work for the log; empty outside of a trace. */
  facts(): Readonly<Record<string, string>>
  /** Sends the remaining spans, for a few seconds at most. */
  close(): Promise<void>
}

/** Tracing without spans, which only runs the work. */
export const NO_TRACING: Tracing = {
  isOn: false,
  inSpan: (_name, work) => work(),
  beginTrace: (_name, work) => work(),
  beginRequest: (_request, work) => work(),
  endRequest: () => undefined,
  recordCall: () => undefined,
  facts: () => ({}),
  close: async () => undefined,
}
