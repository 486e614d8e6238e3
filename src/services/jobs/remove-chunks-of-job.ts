import type { Kysely } from 'kysely'
import { confirmLease } from '../../database/jobs/job-leases.ts'
import { LeaseLost } from '../../database/jobs/jobs.ts'
import type { Tables } from '../../database/schema.ts'
import type { FileOfMemory } from '../memory-files.ts'
import type { JobWork } from './job-handler.ts'

/** Where a job writes chunks. */
type Written = { db: Kysely<Tables>; memoryFile: Pick<FileOfMemory, 'remove'> }

/**
 * Removes what earlier attempts, or this one, wrote of documents, and never what a later one writes: a store that does not answer may carry a removal
 * out when this worker has long given it up, and another one has ended the job. Rejects with {@link LeaseLost} where the job is another's by now.
 */
export async function removeChunksOfJob(
  { db, memoryFile }: Written,
  { job, leaseToken }: Pick<JobWork, 'job' | 'leaseToken'>,
  documentIds: readonly string[],
): Promise<void> {
  let isHeld = true
  const confirm = async () => {
    isHeld = await confirmLease(db, { jobId: job.id, leaseToken })
    return isHeld
  }
  // Asked also where no chunk stands: the caller may have to take away more than chunks.
  if (await confirm()) await memoryFile.remove(job.memory_id, documentIds, { confirm })
  if (!isHeld) throw new LeaseLost(job.id)
}
