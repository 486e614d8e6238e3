import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { withTimeout } from '../../concurrency/wait.ts'
import { ApiError } from '../../errors.ts'
import { readTraceContext, writeTraceContext } from './trace-context.ts'
import type { SpanFacts, Tracing } from './tracing.ts'

/**
 * OpenTelemetry spans, sent to a collector as OTLP over HTTP (JSON). Nothing is global: provider
 * and context belong to one service. Spans wait in a queue of 2,048, and are sent every 5 s, 512 at
 * a time (defaults of the specification). While the collector is down, further spans are dropped.
 */
/**
 * Destination of spans; `endpoint` as in OTEL_EXPORTER_OTLP_ENDPOINT, without the path of traces.
 */
export type TracingSetting = { endpoint: string; headers: Readonly<Record<string, string>>; serviceName: string }

/** Dependencies of tracing; `warn` reports an unreachable collector. */
export type TracingDeps = { version: string; warn: (facts: object, message: string) => void }

/** A silent collector delays the next batch and the end of the process at most this long. */
const EXPORT_TIMEOUT_MS = 5000
const CLOSE_TIMEOUT_MS = 3000
/** Channel on which Node's `fetch` announces requests; the service uses `fetch` only for models. */
const FETCH_CHANNEL = 'undici:request:create'

/** Creates tracing that exports to a collector. */
export function createOtlpTracing(setting: TracingSetting, { version, warn }: TracingDeps): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${setting.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...setting.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': setting.serviceName, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: warnOnOutage(exporter, warn), exportTimeoutMillis: EXPORT_TIMEOUT_MS }),
    ],
  })
  const tracer = provider.getTracer('recollect', version)
  const contexts = new AsyncLocalStorageContextManager().enable()
  const active = () => trace.getSpan(contexts.active())

  function run<Result>(span: Span, parent: Context, work: () => Result): Result {
    const inside = trace.setSpan(parent, span)
    return runInSpan({ span, within: (part) => contexts.with(inside, part) }, work)
  }

  const begin: BeginSpan = (name, parent, options) => tracer.startSpan(name, options, parent)

  const propagateTrace = (message: unknown) => {
    const { request } = message as FetchMessage
    const span = active()?.spanContext()
    for (const [name, value] of span === undefined ? [] : writeTraceContext(span)) request.addHeader(name, value)
  }
  subscribe(FETCH_CHANNEL, propagateTrace)

  return {
    isOn: true,
    inSpan(name, work, facts = {}) {
      const parent = contexts.active()
      return trace.getSpan(parent) === undefined
        ? work()
        : run(begin(name, parent, { kind: SpanKind.INTERNAL, attributes: facts }), parent, work)
    },
    beginTrace: (name, work, facts = {}) =>
      run(begin(name, ROOT_CONTEXT, { kind: SpanKind.CONSUMER, attributes: facts }), ROOT_CONTEXT, work),
    ...createRequestSpans(begin, contexts),
    recordCall(name, { seconds, isFailed, facts }) {
      const parent = contexts.active()
      if (trace.getSpan(parent) === undefined) return
      const startTime = Date.now() - seconds * 1000
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { ...facts }, startTime }, parent)
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    facts() {
      const span = active()?.spanContext()
      return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
    },
    async close() {
      unsubscribe(FETCH_CHANNEL, propagateTrace)
      await withTimeout(provider.shutdown(), CLOSE_TIMEOUT_MS, undefined)
      contexts.disable()
    },
  }
}

type BeginSpan = (name: string, parent: Context, options: { kind: SpanKind; attributes: SpanFacts }) => Span

/** Spans of requests, which begin and end in different calls. */
function createRequestSpans(
  begin: BeginSpan,
  contexts: AsyncLocalStorageContextManager,
): Pick<Tracing, 'beginRequest' | 'endRequest'> {
  const requests = new Map<string, Span>()
  return {
    beginRequest({ requestId, ...brought }, work) {
      const parent = readTraceContext(brought)
      const span = begin('request', parent, {
        kind: SpanKind.SERVER,
        attributes: { 'recollect.request_id': requestId },
      })
      requests.set(requestId, span)
      contexts.with(trace.setSpan(parent, span), work)
    },
    endRequest({ requestId, method, route, status, isAborted }) {
      const span = requests.get(requestId)
      if (span === undefined) return
      requests.delete(requestId)
      span.updateName(`${method} ${route ?? 'none'}`)
      span.setAttributes({ 'http.request.method': method, 'http.response.status_code': status })
      if (route !== null) span.setAttribute('http.route', route)
      if (isAborted) span.setAttribute('recollect.aborted', true)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

type FetchMessage = { request: { addHeader(name: string, value: string): void } }

/**
 * Wraps an exporter to warn once when the collector becomes unreachable, and once when it answers
 * again.
 */
function warnOnOutage(exporter: SpanExporter, warn: TracingDeps['warn']): SpanExporter {
  let isDown = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined || result.code !== 0
        if (failed !== isDown) {
          if (failed)
            warn({ err: result.error ?? null }, 'traces cannot be sent; they are dropped until the collector answers')
          else warn({}, 'traces are sent again')
        }
        isDown = failed
        done(result)
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** A span, and a function that runs a part of its work in the context of the span. */
type OpenSpan = { span: Span; within: <Result>(part: () => Result) => Result }

/**
 * Runs the work and ends its span: immediately, when its promise settles, or after the loop
 * over its result. Returns and throws as the work does.
 */
function runInSpan<Result>(open: OpenSpan, work: () => Result): Result {
  try {
    return endWith(open, open.within(work)) as Result
  } catch (error) {
    endWithError(open.span, error)
    throw error
  }
}

function endWith(open: OpenSpan, given: unknown): unknown {
  if (given instanceof Promise) return given.then((value) => endWith(open, value), endAndRethrow(open.span))
  if (isAsyncIterable(given)) return endAfterLoop(open, given)
  open.span.end()
  return given
}

async function* endAfterLoop(open: OpenSpan, given: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const items = given[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await open.within(() => items.next())
      if (next.done === true) return
      yield next.value
    }
  } catch (error) {
    recordError(open.span, error)
    throw error
  } finally {
    await open.within(() => items.return?.())
    open.span.end()
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && !('pipe' in value)
}

function endAndRethrow(span: Span): (error: unknown) => never {
  return (error) => {
    endWithError(span, error)
    throw error
  }
}

function endWithError(span: Span, error: unknown): void {
  recordError(span, error)
  span.end()
}

/** Records only the kind of an error: its message may contain a title, a host or a query. */
function recordError(span: Span, error: unknown): void {
  const kind = error instanceof ApiError ? error.code : error instanceof Error ? error.name : 'unknown'
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
