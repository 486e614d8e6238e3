import type { VerificationResource } from '../../api/memory.ts'
import type { Caller } from '../caller.ts'

/** Whether memories are whole. */
export type VerifyService = {
  /**
   * Compares metadata, memory file and objects, each chunk with the text it is a slice of. Rejects with `memory_not_found`, with `rate_limited` where
   * too many verifications run or wait, and when `signal` fires.
   */
  verify(caller: Caller, memoryId: string, signal: AbortSignal): Promise<VerificationResource>
}
