/**
 * Spans by OpenTelemetry, sent to a collector as OTLP over HTTP (JSON). Nothing of it is global: the provider and the context
 * belong to one service. Spans wait in a queue of 2,048 and are sent every 5 s, 512 at a time (the defaults of the specification); what does
 * not fit, since the collector is down, is dropped.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { runUnder } from './run-under.ts'
import { readTraceContext, writeTraceContext } from './trace-context.ts'
import type { SpanFacts, Tracing } from './tracing.ts'

/** Where spans go: `endpoint` as OTEL_EXPORTER_OTLP_ENDPOINT has it, without the path of traces. */
export type TracingSetting = { endpoint: string; headers: Readonly<Record<string, string>>; serviceName: string }

/** What tracing needs beside; `warn` hears of a collector that cannot be reached. */
export type TracingSurroundings = { version: string; warn: (facts: object, message: string) => void }

/** A collector that does not answer holds up neither the next batch nor the end of the process for longer. */
const EXPORT_TIMEOUT_MS = 5000
const CLOSE_TIMEOUT_MS = 3000
/** Node's `fetch` says of each request that it is being made; models are all that is asked by it. */
const FETCH_CHANNEL = 'undici:request:create'

/** Tracing that sends to a collector. */
export function createOtlpTracing(setting: TracingSetting, { version, warn }: TracingSurroundings): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${setting.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...setting.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': setting.serviceName, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: telling(exporter, warn), exportTimeoutMillis: EXPORT_TIMEOUT_MS }),
    ],
  })
  const tracer = provider.getTracer('recollect', version)
  const contexts = new AsyncLocalStorageContextManager().enable()
  const requests = new Map<string, Span>()
  const active = () => trace.getSpan(contexts.active())

  function run<Result>(span: Span, parent: Context, work: () => Result): Result {
    const inside = trace.setSpan(parent, span)
    return runUnder({ span, within: (part) => contexts.with(inside, part) }, work)
  }

  function begin(name: string, parent: Context, facts: SpanFacts, kind = SpanKind.INTERNAL): Span {
    return tracer.startSpan(name, { kind, attributes: { ...facts } }, parent)
  }

  const handOn = (message: unknown) => {
    const { request } = message as FetchMessage
    const span = active()?.spanContext()
    for (const [name, value] of span === undefined ? [] : writeTraceContext(span)) request.addHeader(name, value)
  }
  subscribe(FETCH_CHANNEL, handOn)

  return {
    isOn: true,
    within(name, work, facts = {}) {
      const parent = contexts.active()
      return trace.getSpan(parent) === undefined ? work() : run(begin(name, parent, facts), parent, work)
    },
    beginTrace: (name, work, facts = {}) =>
      run(begin(name, ROOT_CONTEXT, facts, SpanKind.CONSUMER), ROOT_CONTEXT, work),
    beginRequest({ requestId, ...brought }, work) {
      const parent = readTraceContext(brought)
      const span = begin('request', parent, { 'recollect.request_id': requestId }, SpanKind.SERVER)
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
    note(name, { seconds, isFailed, facts }) {
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
      unsubscribe(FETCH_CHANNEL, handOn)
      const late = new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())
      await Promise.race([provider.shutdown(), late])
      contexts.disable()
    },
  }
}

type FetchMessage = { request: { addHeader(name: string, value: string): void } }

/** An exporter that says once that the collector cannot be reached, and once that it can again. */
function telling(exporter: SpanExporter, warn: TracingSurroundings['warn']): SpanExporter {
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
