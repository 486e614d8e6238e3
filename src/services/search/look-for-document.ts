import type { Question } from './question.ts'
import { toLegs } from './question.ts'
import { CANDIDATES, type Candidate, findMatches, type Match, retrieve } from './retrieve.ts'
import type { Reach } from './search-memory.ts'

/** How far it is looked behind the candidates for the words of one document, in passages. */
export const DEEPEST = 5000

/**
 * The passages of one document, which stand in these rows, that a search would have found, had it gone further. BM25 depends on all that is searched, so that a search of the
 * document alone would give it other scores: its words are looked for among the first 5,000 passages. Its meaning is compared directly.
 */
export async function lookForDocument(
  { filter, ...reach }: Reach,
  question: Question,
  { documentId, rows }: { documentId: string; rows: ReadonlySet<bigint> },
): Promise<Match[]> {
  const { memoryId } = reach
  const { terms, vector } = toLegs(question)
  const [byWords, byMeaning] = await Promise.all([
    terms === null ? [] : findMatches(reach, { memoryId, terms, vector: null, filter, limit: DEEPEST }),
    findMatches(reach, { memoryId, terms: null, vector, filter: { documentIds: [documentId] }, limit: CANDIDATES }),
  ])
  return [...byWords.filter(({ row }) => rows.has(row)), ...byMeaning]
}

/** The passages of a correction, whether or not it fits the question. */
export function lookForCorrection(reach: Reach, question: Question, documentId: string): Promise<Candidate[]> {
  const filter = { documentIds: [documentId], kind: 'correction' as const }
  return retrieve(reach, { ...toLegs(question), memoryId: reach.memoryId, filter, limit: CANDIDATES })
}
