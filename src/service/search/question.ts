import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { chooseMode } from '../../engine/ranking/choose-mode.ts'
import type { Embedder } from '../../providers/embedder.ts'
import type { SearchMode, Warning } from '../resources.ts'
import type { FindRequest } from '../services.ts'

/** A query, analysed for one memory. */
export type Question = {
  query: string
  /** The mode that runs. */
  mode: SearchMode
  /** What is looked up in the memory's languages; empty where the query has no letter and no digit. */
  terms: readonly string[]
  /** Its meaningful words as they compare literally, for what needs no term. */
  words: readonly string[]
  phrases: readonly string[]
  /** `null` in mode `lexical` and where the embedder knows nothing of the query. */
  vector: Float32Array | null
  languages: readonly string[]
  warnings: Warning[]
}

/** Analyses and embeds a query. A mode that cannot run falls back to `lexical`, with a warning that says why. */
export async function readQuestion(
  { analyzer, embedder }: { analyzer: Analyzer; embedder: Embedder },
  { query, mode }: Pick<FindRequest, 'query' | 'mode'>,
  languages: readonly string[],
): Promise<Question> {
  const { terms, words, phrases } = analyzer.queryTerms(query, languages)
  const asked = mode === 'auto' ? chooseMode(query) : mode
  const known = { query, terms, words, phrases, languages }
  if (asked === 'lexical') return { ...known, mode: 'lexical', vector: null, warnings: [] }
  const [vector] = await embedder.embed([query], 'query')
  if (vector?.some((component) => component !== 0)) return { ...known, mode: asked, vector, warnings: [] }
  const message = `The embedder ${embedder.model} knows no word of this query; it was searched by its words alone.`
  const warnings = [{ code: 'semantic_unavailable', message, param: 'query' }]
  return { ...known, mode: 'lexical', vector: null, warnings }
}
