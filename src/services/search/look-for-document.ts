import type { Question } from './question.ts'
import { toRetrievers } from './question.ts'
import { CANDIDATES, type Candidate, findMatches, type Match, retrieve } from './retrieve.ts'
import type { SearchContext } from './search-service.ts'

/** How far it is looked behind the candidates for the words of one document, in passages. */
export const DEEPEST = 5000

/**
 * The passages of one document, which stand in these rows, that a search would have found, had it gone further. BM25 depends on all that is searched, so that a search of the
 * document alone would give it other scores: its words are looked for among the first 5,000 passages. Its meaning is compared directly.
 */
export async function lookForDocument(
  { filter, ...context }: SearchContext,
  question: Question,
  { documentId, rows }: { documentId: string; rows: ReadonlySet<bigint> },
): Promise<Match[]> {
  const { terms, vector } = toRetrievers(question)
  const [byWords, byMeaning] = await Promise.all([
    terms === null ? [] : findMatches(context, { terms, vector: null, filter, limit: DEEPEST }),
    findMatches(context, { terms: null, vector, filter: { documentIds: [documentId] }, limit: CANDIDATES }),
  ])
  return [...byWords.filter(({ row }) => rows.has(row)), ...byMeaning]
}

/** The passages of a correction, whether or not it fits the question. */
export function lookForCorrection(
  context: SearchContext,
  question: Question,
  documentId: string,
): Promise<Candidate[]> {
  const filter = { documentIds: [documentId], kind: 'correction' as const }
  return retrieve(context, { ...toRetrievers(question), memoryId: context.memoryId, filter, limit: CANDIDATES })
}
