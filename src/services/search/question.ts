import type { SearchMode } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { WordPair } from '../../engine/analysis/query-words.ts'
import { MAX_QUERY_WORDS } from '../../engine/analysis/query-words.ts'
import { chooseMode } from '../../engine/ranking/identifiers.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { FindRequest } from './find-request.ts'

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
