/** What a memory is told to be so, before whatever its documents say. */

import type { CorrectionResource } from '../../api/correction.ts'
import type { Caller } from '../caller.ts'
import type { Work } from '../keep.ts'
import type { Page, PageRequest } from '../page.ts'

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
  topics: string[]
  boost: number
  /** Absent or `null`: it holds for ever. */
  expiresAt?: string | null
}
