import { normalizeForMatch } from '../../engine/analysis/fold.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { RankedCandidate } from './rank-documents.ts'
import type { FindRequest } from './search.ts'
import type { SearchResult } from './search-service.ts'

/** A ranked passage, and the number of its copies that it represents. */
export type SelectedDocument = RankedCandidate & { duplicates: number }

/**
 * Selects the passages to return, in order: matches only, without copies, and from the minimum
 * score on. Corrections have separate thresholds (`match-correction.ts`).
 */
export function selectHits(
  { question, documents, embedder }: Pick<SearchResult, 'question' | 'documents'> & Related,
  { minScore = 0, collapseDuplicates = true, keepUnrelated = false }: SelectOptions,
): SelectedDocument[] {
  const related =
    question.mode === 'hybrid' && !keepUnrelated
      ? dropUnrelated(documents, embedder?.minSimilarity ?? 0, question.words)
      : documents
  const scored = related.filter(({ score }) => score >= minScore)
  return collapseDuplicates ? collapseCopies(scored) : scored.map((document) => ({ ...document, duplicates: 0 }))
}

type SelectOptions = Pick<FindRequest, 'minScore' | 'collapseDuplicates' | 'keepUnrelated'>
/** The embedder of the memory; `null` if vectors were not compared. */
type Related = { embedder: Pick<Embedder, 'minSimilarity'> | null }

/**
 * Drops passages that are nearest without being near: a vector search finds a neighbor for any
 * query. Only if no passage has a word of the query, or a similar word.
 */
function dropUnrelated(
  documents: readonly RankedCandidate[],
  minSimilarity: number,
  words: readonly string[],
): readonly RankedCandidate[] {
  const hasWord = documents.some(({ candidate }) => candidate.lexical !== null && !candidate.isNear)
  if (hasWord) return documents
  const parts = words.map(compact).filter((word) => word.length >= MIN_PART_LETTERS)
  const hasPart = (text: string) => parts.length > 0 && parts.some((part) => compact(text).includes(part))
  return documents.filter(
    ({ candidate, scores }) =>
      candidate.isNear || (scores.semantic ?? 0) >= minSimilarity || hasPart(candidate.chunk.text),
  )
}

/** Shorter parts are in many words by chance. */
const MIN_PART_LETTERS = 5

/** Letters and digits only, so that `INC4022` is in `INC-4022`, and `semperv` in `Sempervivum`. */
function compact(text: string): string {
  return normalizeForMatch(text).replaceAll(' ', '')
}

/** Keeps the first passage of each text, with the number of copies. */
function collapseCopies(documents: readonly RankedCandidate[]): SelectedDocument[] {
  const byKey = new Map<string, SelectedDocument>()
  for (const document of documents) {
    const { copyKey, unrankedCopies } = document.candidate
    const first = byKey.get(copyKey)
    if (first === undefined) byKey.set(copyKey, { ...document, duplicates: unrankedCopies })
    else first.duplicates += 1 + unrankedCopies
  }
  return [...byKey.values()]
}
