import { ApiError } from '../errors.ts'
import { CORRECTION_FIELDS } from '../limits.ts'
import type { Log } from '../log.ts'
import type { OutrankedPassage } from './resources.ts'
import type { Caller, SearchService } from './services.ts'

/** Hits looked at for those that are near enough. */
const HITS_READ = 10
const NO_FILTER = { tags: [], documentIds: [], metadata: {} } as const
/** A passage without a word of the statement has to be as near as a correction has to be to a question with which it shares some. */
const LEAST_COSINE = 0.5

/** What is needed to look for them. */
export type OutrankingParts = { search?: Pick<SearchService, 'find'>; log: Pick<Log, 'warn'> }

/**
 * The passages that a correction stands before, or contradicts: those nearest to its statement by words and by meaning, at most five. `null` without a search, and where it
 * fails, which is no reason to refuse a correction.
 */
export async function listOutranked(
  { search, log }: OutrankingParts,
  { caller, memoryId, statement }: { caller: Caller; memoryId: string; statement: string },
): Promise<OutrankedPassage[] | null> {
  if (search === undefined) return null
  const request = { query: statement, mode: 'hybrid', limit: HITS_READ, highlight: false, filter: NO_FILTER } as const
  try {
    const { hits } = await search.find(caller, memoryId, { ...request, withoutCorrections: true })
    return hits
      .filter(({ scores }) => scores.lexical !== null || (scores.semantic ?? 0) >= LEAST_COSINE)
      .slice(0, CORRECTION_FIELDS.outranked)
      .map(({ documentId, chunkId, title, page, snippet, score, scores: { lexical, semantic } }) => {
        return { documentId, chunkId, title, page, snippet, score, scores: { lexical, semantic } }
      })
  } catch (err) {
    if (err instanceof ApiError && err.code === 'memory_not_found') throw err
    log.warn({ err, memoryId }, 'what a correction outranks could not be looked for')
    return null
  }
}
