import type { JobResource } from '../../api/job.ts'
import type { Caller } from '../caller.ts'
import type { Keep } from '../keep.ts'

/** The vectors of a memory, made anew by another model. */
export type ReembedService = {
  /**
   * Has all vectors of the memory made anew by a model that is named as an add names it; the job that does it. Rejects with `validation_failed` where that is
   * not configured, with `reembedding_in_progress`.
   */
  begin(caller: Caller, memoryId: string, embeddingModel: string, keep?: Keep<JobResource>): Promise<JobResource>
}
