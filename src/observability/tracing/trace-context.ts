/** W3C Trace Context: parses and writes the trace headers of requests. */
import { type Context, ROOT_CONTEXT, type SpanContext, type TraceState, trace } from '@opentelemetry/api'

/** Trace headers of a request; `null` for an absent header. */
export type TraceHeaders = { traceparent: string | null; tracestate: string | null }

/** Section 3.2: version, trace, parent, flags. The first version allows nothing more. */
const TRACEPARENT = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
/**
 * Section 3.3: a list member, the maximum number of members, and the length that must be
 * propagated.
 */
const MEMBER = /^[a-z0-9][_0-9a-z*/@-]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/
const MAX_MEMBERS = 32
const MAX_CHARACTERS = 512

/**
 * The trace that a request continues; the root context without a valid `traceparent`. An invalid
 * `tracestate` is dropped.
 */
export function readTraceContext({ traceparent, tracestate }: TraceHeaders): Context {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & 1
  const traceState = parseTraceState(tracestate ?? '')
  const state = traceState === null ? {} : { traceState }
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...state })
}

/** Headers that propagate this span to another service. */
export function writeTraceContext({ traceId, spanId, traceFlags, traceState }: SpanContext): [string, string][] {
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  const state = traceState === undefined ? [] : [['tracestate', traceState.serialize()] satisfies [string, string]]
  return [['traceparent', traceparent], ...state]
}

/** A state to propagate unchanged; other vendors own its content. */
function parseTraceState(text: string): TraceState | null {
  const members = text.split(',').map((member) => member.trim())
  const kept = members.filter((member) => MEMBER.test(member)).join(',')
  if (kept === '' || members.length > MAX_MEMBERS || kept.length > MAX_CHARACTERS) return null
  const state: TraceState = { get: () => undefined, set: () => state, unset: () => state, serialize: () => kept }
  return state
}
