import type { Caller } from '../caller.ts'

/** One thing that is wrong with a memory. `code` is its name in the documentation. */
export type VerificationProblem = {
  code: string
  message: string
  /** `null` where it is not of one document. */
  documentId: string | null
  /** Whether `recollect doctor --storage --fix` mends it. */
  mendable: boolean
  remedy: string
}

/** Whether a memory is whole, with what there is of it; `problems` are the first of `problemsFound`. */
export type VerificationResource = {
  ok: boolean
  documents: number
  chunks: number
  problemsFound: number
  problems: VerificationProblem[]
}

/** Whether memories are whole. */
export type VerifyService = {
  /**
   * Compares metadata, memory file and objects, each chunk with the text it is a slice of. Rejects with `memory_not_found`, with `rate_limited` where
   * too many verifications run or wait, and when `signal` fires.
   */
  verify(caller: Caller, memoryId: string, signal: AbortSignal): Promise<VerificationResource>
}
