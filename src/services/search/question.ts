import type { SearchMode } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import { anySignal } from '../../concurrency/wait.ts'
import type { Memory } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { AskedPeriod } from '../../engine/analysis/find-periods.ts'
import { MAX_QUERY_WORDS, type WordPair } from '../../engine/analysis/query-words.ts'
import { readForeignLanguage } from '../../engine/analysis/question-language.ts'
import { chooseMode } from '../../engine/ranking/identifiers.ts'
import { ApiError } from '../../errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Log } from '../../observability/log.ts'
import type { FindRequest } from './search.ts'

/** A query, analysed for one memory. */
export type Question = {
  query: string
  /** Effective mode. */
  mode: SearchMode
  /** Index terms in the memory's languages; empty for a query without letters and digits. */
  terms: readonly string[]
  /** Extra occurrences of terms: a term that counts three times is listed twice. */
  repeated: readonly string[]
  /** Alternative spellings of the terms, also looked up. */
  forms: readonly string[]
  /** Content words of the query, normalised for literal comparison. */
  words: readonly string[]
  /** Words that count more than once. */
  repeatedWords: readonly string[]
  /** True if the query has only stop words and negations. */
  hasStopWordsOnly: boolean
  /** Terms of words that are a stop word in no language of the memory. */
  contentTerms: readonly string[]
  /** Pairs of adjacent words. */
  pairs: readonly WordPair[]
  phrases: readonly string[]
  /** Dates and periods, in any form. */
  periods: readonly AskedPeriod[]
  /** `null` in mode `lexical`, and when the embedder does not know any word of the query. */
  vector: Float32Array | null
  /**
   * Languages of the memory, starting with the query's language if known, also if it has no
   * documents. `und` may come first (`query-words.ts`).
   */
  languages: readonly string[]
  /** True for a sentence in a language without documents in the memory. */
  isForeign: boolean
  warnings: Warning[]
}

type QueryAndMode = Pick<FindRequest, 'query' | 'mode'>

/**
 * Analyses and embeds a query. Falls back to `lexical` with a warning when the embedder knows no
 * word of the query. Rejects as the embedder does, and with the reason of the signal.
 */
export async function analyzeAndEmbedQuery(
  { analyzer, embedder }: { analyzer: Analyzer; embedder: Embedder },
  { signal, ...asked }: QueryAndMode & { signal?: AbortSignal | undefined },
  languages: readonly string[],
): Promise<Question> {
  const words = analyzeQuery(analyzer, asked, languages)
  const mode = effectiveMode(asked)
  if (mode === 'lexical') return words
  const [vector] = await embedder.embed([asked.query], 'query', { signal })
  if (vector?.some((component) => component !== 0)) return { ...words, mode, vector }
  return withWarning(words, {
    code: 'semantic_unavailable',
    message:
      `The embedding model ${embedder.model} does not know the words of this query. ` +
      'The results come from keyword search only.',
    param: 'query',
  })
}

/**
 * Analyses a query for a lexical search. A query in a language without documents is analysed in
 * that language as well: its frequent words are names and other words in the documents.
 */
export function analyzeQuery(analyzer: Analyzer, { query }: QueryAndMode, languages: readonly string[]): Question {
  const foreign = readForeignLanguage(query, languages)
  const { leftOut, ...asked } = analyzer.queryTerms(query, foreign === null ? languages : [foreign, ...languages])
  const warnings = leftOut === 0 ? [] : [queryShortened(leftOut)]
  return { query, ...asked, isForeign: foreign !== null, mode: 'lexical', vector: null, warnings }
}

function queryShortened(leftOut: number): Warning {
  return {
    code: 'query_shortened',
    message:
      `Only the first ${MAX_QUERY_WORDS} distinct words of a query (characters in scripts without spaces) ` +
      `are searched. ${leftOut} were ignored. Use a shorter query.`,
    param: 'query',
  }
}

/** Effective mode of a query; `auto` chooses by the form of the query. */
export function effectiveMode({ query, mode }: QueryAndMode): SearchMode {
  return mode === 'auto' ? chooseMode(query) : mode
}

/** Input of both retrievers: terms or `null`, vector or `null`. */
export function toRetrievers({ mode, terms, repeated, forms, vector }: Question): {
  terms: readonly string[] | null
  vector: Float32Array | null
} {
  return { terms: mode === 'semantic' ? null : [...terms, ...repeated, ...forms], vector }
}

/** Appends a warning to the question. */
export function withWarning(question: Question, warning: Warning): Question {
  return { ...question, warnings: [...question.warnings, warning] }
}

/**
 * Maximum wait for the query vector in a search that can run without. Our choice: a healthy
 * endpoint answers in a tenth of the time; an unavailable endpoint must not block lexical results.
 */
const EMBED_TIMEOUT_MS = 2000

/** Dependencies of {@link embedQuery}. */
type EmbedQueryDeps = { analyzer: Analyzer; embedders: Embedders; log: Pick<Log, 'warn'> }

/** An analysed query of one memory. */
type MemoryQuestion = {
  question: Question
  /**
   * The memory's embedder; `null` if not configured or just failed, so vectors are not compared.
   */
  embedder: Embedder | null
}

/**
 * Embeds a query with the embedder to which the memory is pinned. Falls back to `lexical` with a
 * warning when the embedder is not configured, fails or times out. Mode `semantic` has no fallback
 * and rejects with `model_failed`. Rejects with the reason of the request's signal.
 */
export async function embedQuery(
  { analyzer, embedders, log }: EmbedQueryDeps,
  { embedding_model: pinned }: Pick<Memory, 'embedding_model'>,
  { request, languages }: { request: Pick<FindRequest, 'query' | 'mode' | 'signal'>; languages: readonly string[] },
): Promise<MemoryQuestion> {
  const embedder = pinned === null ? embedders.default : embedders.get(pinned)
  const mode = effectiveMode(request)
  if (embedder === null) {
    const why = `The memory uses the embedding model ${pinned}, which is not configured`
    return lexicalOnly(analyzeQuery(analyzer, request, languages), mode === 'lexical' ? null : why)
  }
  const signal = anySignal(request.signal, mode === 'hybrid' ? AbortSignal.timeout(EMBED_TIMEOUT_MS) : undefined)
  try {
    return { question: await analyzeAndEmbedQuery({ analyzer, embedder }, { ...request, signal }, languages), embedder }
  } catch (error) {
    request.signal?.throwIfAborted()
    const isLate = signal.aborted
    if (mode === 'semantic' || !(isLate || error instanceof ApiError)) throw error
    const why = isLate ? `did not answer within ${EMBED_TIMEOUT_MS / 1000} s` : 'failed'
    log.warn({ ...(isLate ? {} : { err: error }), model: embedder.model }, `the embedding model ${why}`)
    return lexicalOnly(analyzeQuery(analyzer, request, languages), `The embedding model ${embedder.model} ${why}`)
  }
}

/**
 * Turns a question into a lexical one. `why` is a sentence without a full stop; `null` when the
 * caller asked for a lexical search.
 */
export function lexicalOnly(question: Question, why: string | null): MemoryQuestion {
  const lexical: Question = { ...question, mode: 'lexical', vector: null }
  if (why === null) return { question: lexical, embedder: null }
  const message = `${why}. Only keyword search was used.`
  return { question: withWarning(lexical, { code: 'semantic_unavailable', message, param: null }), embedder: null }
}
