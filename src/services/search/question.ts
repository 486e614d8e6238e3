import type { SearchMode } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { anySignal } from '../../concurrency/wait.ts'
import type { Memory } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { MAX_QUERY_WORDS, type WordPair } from '../../engine/analysis/query-words.ts'
import { chooseMode } from '../../engine/ranking/identifiers.ts'
import { ApiError } from '../../errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Log } from '../../observability/log.ts'
import type { FindRequest } from './search.ts'

/** A query, analysed for one memory. */
export type Question = {
  query: string
  /** The mode that runs. */
  mode: SearchMode
  /** What is looked up in the memory's languages; empty where the query has no letter and no digit. */
  terms: readonly string[]
  /** Those of them that count more than once, once for each further time. */
  repeated: readonly string[]
  /** Looked up as well: the same, written in other ways. */
  forms: readonly string[]
  /** Its meaningful words as they compare literally, for what needs no term. */
  words: readonly string[]
  /** Those of them that count more than once. */
  repeatedWords: readonly string[]
  /** Those of them that stand beside each other in the query. */
  pairs: readonly WordPair[]
  phrases: readonly string[]
  /** `null` in mode `lexical` and where the embedder knows nothing of the query. */
  vector: Float32Array | null
  /** Those of the memory, that of the query first where it is known; perhaps `und` before them (`query-words.ts`). */
  languages: readonly string[]
  warnings: Warning[]
}

type Asked = Pick<FindRequest, 'query' | 'mode'>

/**
 * Analyses and embeds a query. Where the embedder knows no word of it, it falls back to `lexical`, with a warning that says why. Rejects as the
 * embedder does, and with the reason of the signal.
 */
export async function readQuestion(
  { analyzer, embedder }: { analyzer: Analyzer; embedder: Embedder },
  { signal, ...asked }: Asked & { signal?: AbortSignal | undefined },
  languages: readonly string[],
): Promise<Question> {
  const words = analyzeQuery(analyzer, asked, languages)
  const mode = modeOf(asked)
  if (mode === 'lexical') return words
  const [vector] = await embedder.embed([asked.query], 'query', signal)
  if (vector?.some((component) => component !== 0)) return { ...words, mode, vector }
  return withWarning(words, {
    code: 'semantic_unavailable',
    message: `The embedder ${embedder.model} knows no word of this query; it was searched by its words alone.`,
    param: 'query',
  })
}

/** Analyses a query to be searched by its words alone. */
export function analyzeQuery(analyzer: Analyzer, { query }: Asked, languages: readonly string[]): Question {
  const { leftOut, ...asked } = analyzer.queryTerms(query, languages)
  return { query, ...asked, mode: 'lexical', vector: null, warnings: leftOut === 0 ? [] : [tooManyWords(leftOut)] }
}

function tooManyWords(leftOut: number): Warning {
  return {
    code: 'query_shortened',
    message: `The words of a query are looked up to the ${MAX_QUERY_WORDS}th different one (in scripts without spaces: character), and ${leftOut} more were left out. Ask for less at a time to have all of them looked up.`,
    param: 'query',
  }
}

/** The mode that a query is to run in; `auto` decides by what the query is. */
export function modeOf({ query, mode }: Asked): SearchMode {
  return mode === 'auto' ? chooseMode(query) : mode
}

/** What each leg looks for: terms or none, a vector or none. */
export function toRetrievers({ mode, terms, repeated, forms, vector }: Question): {
  terms: readonly string[] | null
  vector: Float32Array | null
} {
  return { terms: mode === 'semantic' ? null : [...terms, ...repeated, ...forms], vector }
}

/** The question with one more warning. */
export function withWarning(question: Question, warning: Warning): Question {
  return { ...question, warnings: [...question.warnings, warning] }
}

/**
 * What a search that can do without its vector waits for it. Ours: an endpoint that is well answers in a tenth of that; one that is starting or gone
 * must not hold up what can be found by words.
 */
const EMBED_TIMEOUT_MS = 2000

/** What questions of memories are read with. */
type EmbedQueryDeps = { analyzer: Analyzer; embedders: Embedders; log: Pick<Log, 'warn'> }

/** A question of one memory. */
type MemoryQuestion = {
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
