import { anySignal } from '../../concurrency/wait.ts'
import type { Memory } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { ApiError } from '../../errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Log } from '../../observability/log.ts'
import type { FindRequest } from './find-request.ts'
import { analyzeQuery, modeOf, type Question, readQuestion, withWarning } from './question.ts'

/**
 * What a search that can do without its vector waits for it. Ours: an endpoint that is well answers in a tenth of that; one that is starting or gone
 * must not hold up what can be found by words.
 */
const EMBED_TIMEOUT_MS = 2000

/** What questions of memories are read with. */
export type EmbedQueryDeps = { analyzer: Analyzer; embedders: Embedders; log: Pick<Log, 'warn'> }

/** A question of one memory. */
export type MemoryQuestion = {
  question: Question
  /** The memory's; `null` where it is not configured or has failed just now: nothing is to be compared by meaning then. */
  embedder: Embedder | null
}

/**
 * Reads a query with the embedder that the memory is pinned to. Without it the search falls back to `lexical`, with a warning that says why: where it is
 * not configured, and where it fails or takes too long. Mode `semantic` has nothing to fall back to that was asked for, and rejects
 * with `model_failed` where its embedder fails. Rejects with the reason of the request's signal.
 */
export async function embedQuery(
  { analyzer, embedders, log }: EmbedQueryDeps,
  { embedding_model: pinned }: Pick<Memory, 'embedding_model'>,
  { request, languages }: { request: Pick<FindRequest, 'query' | 'mode' | 'signal'>; languages: readonly string[] },
): Promise<MemoryQuestion> {
  const embedder = pinned === null ? embedders.default : embedders.get(pinned)
  const mode = modeOf(request)
  if (embedder === null) {
    const why = `The memory is pinned to the embedding model ${pinned}, which is not configured here`
    return lexicalOnly(analyzeQuery(analyzer, request, languages), mode === 'lexical' ? null : why)
  }
  const signal = anySignal(request.signal, mode === 'hybrid' ? AbortSignal.timeout(EMBED_TIMEOUT_MS) : undefined)
  try {
    return { question: await readQuestion({ analyzer, embedder }, { ...request, signal }, languages), embedder }
  } catch (error) {
    request.signal?.throwIfAborted()
    const isLate = signal.aborted
    if (mode === 'semantic' || !(isLate || error instanceof ApiError)) throw error
    const why = isLate ? `did not answer within ${EMBED_TIMEOUT_MS / 1000} s` : 'failed'
    log.warn({ ...(isLate ? {} : { err: error }), model: embedder.model }, `the embedding model ${why}`)
    return lexicalOnly(analyzeQuery(analyzer, request, languages), `The embedding model ${embedder.model} ${why}`)
  }
}

/** The question without its meaning; `why` is a sentence without its end, `null` where the caller asked for no meaning. */
export function lexicalOnly(question: Question, why: string | null): MemoryQuestion {
  const lexical: Question = { ...question, mode: 'lexical', vector: null }
  if (why === null) return { question: lexical, embedder: null }
  const message = `${why}; it was searched by its words alone.`
  return { question: withWarning(lexical, { code: 'semantic_unavailable', message, param: null }), embedder: null }
}
