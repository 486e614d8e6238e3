import type { IncomingHttpHeaders } from 'node:http'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { JobHandlers, JobWork } from '../../services/jobs/job-handler.ts'
import type { Services } from '../../services/services.ts'
import type { WorkContext } from '../log.ts'
import type { Meters } from '../meters.ts'
import type { TracedRequest, Tracing } from './tracing.ts'

type Call = (...given: unknown[]) => unknown

/**
 * Wraps the functions named in `spans` each in a span of that name. Returns `seam` unchanged
 * without tracing.
 */
export function withSpans<Seam extends object>(
  { isOn, inSpan }: Tracing,
  seam: Seam,
  spans: { readonly [Name in keyof Seam]?: string },
): Seam {
  if (!isOn) return seam
  const calls = Object.entries(spans) as [keyof Seam & string, string][]
  const traced = calls.map(([name, span]) => {
    const call = seam[name] as Call
    return [name, (...given: unknown[]) => inSpan(span, () => call.apply(seam, given))]
  })
  return { ...seam, ...Object.fromEntries(traced) }
}

/**
 * Meters that also create a span for each call of a model or child. Every such call reports to the
 * meters already.
 */
export function tracedMeters(tracing: Tracing, meters: Meters): Meters {
  if (!tracing.isOn) return meters
  return {
    ...meters,
    modelCalled(call) {
      meters.modelCalled(call)
      const { model, outcome, seconds } = call
      tracing.recordCall(`model ${model}`, {
        seconds,
        isFailed: outcome === 'failed',
        facts: { 'recollect.outcome': outcome },
      })
    },
    taskEnded(ended) {
      meters.taskEnded(ended)
      const { task, outcome, seconds } = ended
      tracing.recordCall(task, { seconds, isFailed: outcome === 'failed', facts: { 'recollect.outcome': outcome } })
    },
  }
}

/** Wraps the embedders with a span for each call. */
export function tracedModels<Models extends { embedders: Embedders }>(tracing: Tracing, models: Models): Models {
  if (!tracing.isOn) return models
  const known = new Map<Embedder, Embedder>()
  const traced = (embedder: Embedder): Embedder => {
    const made = known.get(embedder) ?? withSpans(tracing, embedder, { embed: 'embedding' })
    known.set(embedder, made)
    return made
  }
  const { embedders } = models
  const get = (name: string) => {
    const embedder = embedders.get(name)
    return embedder === null ? null : traced(embedder)
  }
  return { ...models, embedders: { ...embedders, default: traced(embedders.default), get } }
}

/**
 * Hooks of the server that run each request in its trace, add its identifier to the log, and count
 * it at the end.
 */
export function tracedRequests(
  tracing: Tracing,
  { context, meters }: { context: WorkContext; meters: Pick<Meters, 'requestEnded'> },
) {
  return {
    runInContext(
      facts: { requestId: string },
      work: () => void,
      { traceparent, tracestate }: IncomingHttpHeaders,
    ): void {
      // Node joins repeated headers into one text, as the recommendation requires.
      const request = { ...facts, traceparent: textOrNull(traceparent), tracestate: textOrNull(tracestate) }
      context.within(facts, () => tracing.beginRequest(request, work))
    },
    onRequestEnd(request: TracedRequest & Parameters<Meters['requestEnded']>[0]): void {
      meters.requestEnded(request)
      tracing.endRequest(request)
    },
  }
}

function textOrNull(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

/** Wraps the services with spans, each function under its name. */
export function tracedServices<All extends Services>(tracing: Tracing, services: All): All {
  const { ask, corrections, evaluate, extract, ingest, search } = services
  return {
    ...services,
    ask: withSpans(tracing, ask, { ask: 'ask', streamAsk: 'ask', askOnce: 'ask-once', streamAskOnce: 'ask-once' }),
    corrections: withSpans(tracing, corrections, { add: 'correct' }),
    evaluate: withSpans(tracing, evaluate, { evaluate: 'evaluate' }),
    extract: withSpans(tracing, extract, { extract: 'extract' }),
    ingest: withSpans(tracing, ingest, {
      addTexts: 'ingest',
      addFile: 'ingest',
      addUrl: 'ingest',
      addImage: 'ingest',
    }),
    search: withSpans(tracing, search, { find: 'find', search: 'find' }),
  }
}

/** Wraps job handlers so that each run is the root of a trace. */
export function tracedHandlers(tracing: Tracing, handlers: JobHandlers): JobHandlers {
  if (!tracing.isOn) return handlers
  const traced = Object.entries(handlers).map(([type, handler]) => {
    const run = (work: JobWork) =>
      tracing.beginTrace(`job ${type}`, () => handler.run(work), {
        'recollect.job_id': work.job.id,
        'recollect.attempt': work.job.attempts,
      })
    return [type, { ...handler, run }] as const
  })
  return Object.fromEntries(traced)
}

/** Wraps the chunk storage with a span for each retriever, read and write. */
export function tracedMemoryFile(tracing: Tracing, memoryFile: MemoryFile): MemoryFile {
  return withSpans(tracing, memoryFile, {
    searchLexical: 'leg lexical',
    searchNear: 'leg near',
    searchVector: 'leg semantic',
    readRows: 'read chunks',
    add: 'store chunks',
    deleteDocuments: 'remove chunks',
  })
}
