import type { BroughtTrace } from './trace-context.ts'

/** What a span says of itself: names of our own, numbers, identifiers. Never anything of a document, a question or a key. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** Where a request comes from: its identifier, and what it brought of a trace. */
export type BegunRequest = { requestId: string } & BroughtTrace

/** A request that has ended; `route` is the template of its path, `null` where no route took it. */
export type TracedRequest = {
  requestId: string
  method: string
  route: string | null
  status: number
  isAborted: boolean
}

/** Makes spans of what the service does. */
export type Tracing = {
  /** False: nothing is ever made of a span, and nothing has to be wrapped. */
  isOn: boolean
  /** Runs the work under a span of its own where a trace is under way; elsewhere it just runs. Gives and throws what the work does. */
  within<Result>(name: string, work: () => Result, facts?: SpanFacts): Result
  /** Runs the work as the beginning of a trace. */
  beginTrace<Result>(name: string, work: () => Result, facts?: SpanFacts): Result
  /** Runs what a request calls; the span ends with `endRequest`. */
  beginRequest(request: BegunRequest, work: () => void): void
  endRequest(request: TracedRequest): void
  /** Notes a call that has just ended, where a trace is under way. */
  note(name: string, call: { seconds: number; isFailed: boolean; facts: SpanFacts }): void
  /** `trace_id` and `span_id` of what runs, for the log; nothing outside of a trace. */
  facts(): Readonly<Record<string, string>>
  /** Sends what was not sent yet, for a few seconds at most. */
  close(): Promise<void>
}

/** No tracing: work is run, and that is all. */
export const NO_TRACING: Tracing = {
  isOn: false,
  within: (_name, work) => work(),
  beginTrace: (_name, work) => work(),
  beginRequest: (_request, work) => work(),
  endRequest: () => undefined,
  note: () => undefined,
  facts: () => ({}),
  close: async () => undefined,
}
