/** What a memory is told to be so, before whatever its documents say. */

import type { Caller } from '../caller.ts'
import type { Work } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'
import type { HitResource } from '../search/search.ts'

export type CorrectionsService = {
  /** All or nothing. Rejects with `validation_failed` for what is wrong with one, named as `corrections[0].expiresAt` or, where it `isOne` that came alone, as `expiresAt`. */
  add(
    caller: Caller,
    memoryId: string,
    corrections: readonly CorrectionInput[],
    work: Work<CorrectionResource[]> & { isOne?: boolean },
  ): Promise<CorrectionResource[]>
  /** Newest first, expired ones too until they are swept; `outranks` as it is now, where that is asked for. */
  list(
    caller: Caller,
    memoryId: string,
    include: { outranks: boolean },
    page: PageRequest,
  ): Promise<Page<'corrections', CorrectionResource>>
}

export type CorrectionInput = {
  statement: string
  topics: readonly string[]
  boost: number
  /** Absent or `null`: it holds for ever. */
  expiresAt?: string | null
}

export type CorrectionResource = {
  id: string
  memoryId: string
  statement: string
  topics: readonly string[]
  boost: number
  /** The key that made it, by the name it had then; `null` where keys are switched off, and for a memory's key that is another one. */
  createdBy: { keyId: string; name: string | null } | null
  /** It is not found from then on; `null` for ever. */
  expiresAt: string | null
  isExpired: boolean
  /** The passages it stands before or contradicts, the nearest first; `null` where that was not looked for. */
  outranks: OutrankedPassage[] | null
  /** `null` where it never stood before anything. */
  lastOutranked: LastOutranked | null
  createdAt: string
}

/** What a correction stood before in the last find that it was found by, the best first: as many as in `outranks`, without those that are gone since. */
export type LastOutranked = {
  at: string
  passages: LastOutrankedPassage[]
}

export type LastOutrankedPassage = Omit<OutrankedPassage, 'snippet'> & { startOffset: number; endOffset: number }

/** A passage that a correction stands before. */
export type OutrankedPassage = Pick<HitResource, 'documentId' | 'chunkId' | 'title' | 'page' | 'snippet' | 'score'> & {
  scores: Pick<HitResource['scores'], 'lexical' | 'semantic'>
}
