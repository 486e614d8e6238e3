import type { Transaction } from 'kysely'
import { getActiveJob } from '../../database/jobs/jobs.ts'
import { lockMemory } from '../../database/memories/memories.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { REEMBEDDING_JOB } from '../jobs/job-types.ts'

/** Locks the memory. Throws `memory_not_found`, and `reembedding_in_progress` with the job's identifier where a re-embedding of it waits or runs. */
export async function requireNoReembedding(transaction: Transaction<Tables>, memoryId: string): Promise<void> {
  const memory = await lockMemory(transaction, memoryId)
  if (memory === null) throw new ApiError('memory_not_found')
  if (memory.next_file === null) return
  const job = await getActiveJob(transaction, memoryId, REEMBEDDING_JOB)
  throw new ApiError('reembedding_in_progress', { extra: { jobId: job?.id ?? null } })
}
