import type { ChatModel } from '../models/chat-model.ts'
import type { Embedder } from '../models/embedder.ts'
import type { Reranker } from '../models/reranker.ts'
import type { VisionReader } from '../models/vision-reader.ts'
import type { ParserPool } from '../parsers/child/parser-pool.ts'
import type { DocumentReader } from '../services/reading/document-reader.ts'
import type { ReadEvent } from '../services/reading/read-event.ts'
import type { Meters, Outcome } from './meters.ts'

/** Models that count their calls, otherwise unchanged. */
type ModelMeters = Pick<Meters, 'modelCalled'>

/** Counts each answer; a streamed answer ends with its loop. */
export function meteredChatModel(chat: ChatModel, { modelCalled }: ModelMeters): ChatModel {
  const ended = (end: { outcome: Outcome; seconds: number }) => modelCalled({ model: 'chat', ...end })
  return {
    ...chat,
    generate: (request) => timedCall(() => chat.generate(request), ended, request.signal),
    generateObject: (request) => timedCall(() => chat.generateObject(request), ended, request.signal),
    async *stream(request) {
      const startedMs = performance.now()
      // The reader left the loop early.
      let outcome: Outcome = 'stopped'
      try {
        yield* chat.stream(request)
        outcome = 'ok'
      } catch (error) {
        outcome = request.signal?.aborted ? 'stopped' : 'failed'
        throw error
      } finally {
        ended({ outcome, seconds: (performance.now() - startedMs) / 1000 })
      }
    },
  }
}

/** Counts each call, for queries and passages. */
export function meteredEmbedder(embedder: Embedder, { modelCalled }: ModelMeters): Embedder {
  return {
    ...embedder,
    fusionWeight: (language) => embedder.fusionWeight(language),
    embed: (texts, kind, options) =>
      timedCall(
        () => embedder.embed(texts, kind, options),
        (end) => modelCalled({ model: 'embedder', ...end }),
        options?.signal,
      ),
  }
}

/** Counts each call. */
export function meteredReranker(reranker: Reranker, { modelCalled }: ModelMeters): Reranker {
  const ended = (end: { outcome: Outcome; seconds: number }) => modelCalled({ model: 'reranker', ...end })
  return { ...reranker, rerank: (request) => timedCall(() => reranker.rerank(request), ended, request.signal) }
}

/** Counts each page sent to the model. A fallback after a failure of the model counts as failed. */
export function meteredVisionReader(vision: VisionReader, { modelCalled }: ModelMeters): VisionReader {
  return {
    ...vision,
    async improve(page) {
      if (page.embedded.outcome === 'blank') return vision.improve(page)
      const startedMs = performance.now()
      const improved = await vision.improve(page)
      const outcome = improved.fallback?.isFailure ? 'failed' : 'ok'
      modelCalled({ model: 'vision', outcome, seconds: (performance.now() - startedMs) / 1000 })
      return improved
    },
  }
}

/** Readers that count pages and tasks, otherwise unchanged. */
/** Counts every page by its outcome. */
export function meteredReader(reader: DocumentReader, { pageRead }: Pick<Meters, 'pageRead'>): DocumentReader {
  async function* counted(events: AsyncIterable<ReadEvent>): AsyncGenerator<ReadEvent> {
    for await (const event of events) {
      if ('page' in event) pageRead(event.page.method)
      yield event
    }
  }
  return {
    ...reader,
    recognize: (...given) => counted(reader.recognize(...given)),
    read: (...given) => counted(reader.read(...given)),
  }
}

/** Counts tasks with a single result: recognised or rendered pages. */
export function meteredPool(pool: ParserPool, { taskEnded }: Pick<Meters, 'taskEnded'>): ParserPool {
  return {
    ...pool,
    run: (task, input, options) =>
      timedCall(
        () => pool.run(task, input, options),
        (end) => taskEnded({ task, ...end }),
        options?.signal,
      ),
  }
}

/** Runs the call, and reports its outcome and duration. Returns and throws as the call does. */
async function timedCall<Value>(
  call: () => Promise<Value>,
  ended: (end: { outcome: Outcome; seconds: number }) => void,
  signal?: AbortSignal,
): Promise<Value> {
  const startedMs = performance.now()
  let outcome: Outcome = 'failed'
  try {
    const value = await call()
    outcome = 'ok'
    return value
  } finally {
    if (outcome === 'failed' && signal?.aborted) outcome = 'stopped'
    ended({ outcome, seconds: (performance.now() - startedMs) / 1000 })
  }
}
