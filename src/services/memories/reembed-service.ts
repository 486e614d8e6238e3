import type { Kysely, Transaction } from 'kysely'
import type { JobResource } from '../../api/job.ts'
import { getActiveJob, insertJob } from '../../database/jobs/jobs-table.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import { setShadowFile } from '../../database/memories/reembedding-table.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError, invalid } from '../../errors.ts'
import { newFileName } from '../../memory-file/file-name.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Embedders } from '../../models/embedders.ts'
import { failpoint } from '../../observability/failpoints.ts'
import type { Caller } from '../caller.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { REEMBEDDING_JOB } from '../jobs/job-handler.ts'
import { toJobResource } from '../jobs/job-resource.ts'
import { type StoreResponse, storeNoResponse } from '../request-work.ts'

type ReembedServiceDeps = {
  db: Kysely<Tables>
  embedders: Embedders
  changes: JobChanges
  now: () => Date
}

/** Creates re-embedding jobs; `reembedding-job.ts` does the work. */
export function createReembedService({ db, embedders, changes, now }: ReembedServiceDeps): ReembedService {
  return {
    async begin(caller, memoryId, { embeddingModel: name, storeResponse = storeNoResponse }) {
      const { organization_id: organizationId } = await requireMemory(db, caller, memoryId)
      const { model: embeddingModel } = requireConfigured(embedders, name)
      const job = await db.transaction().execute(async (transaction) => {
        await requireNoReembedding(transaction, memoryId)
        const file = newFileName(memoryId)
        await setShadowFile(transaction, memoryId, file)
        const payload: ReembeddingPayload = { embeddingModel, file, carriedTo: 0, chunks: 0 }
        const facts = { organizationId, memoryId, jobType: REEMBEDDING_JOB, payload, now: now() }
        const begun = toJobResource(await insertJob(transaction, facts))
        await storeResponse(transaction, begun)
        return begun
      })
      failpoint('reembed:begun')
      changes.publish({ jobId: job.id, kind: 'queued' })
      return job
    },
  }
}

/** Replaces the vectors of a memory by those of another model. */
export type ReembedService = {
  /**
   * Starts a job that embeds the memory again; `embeddingModel` is named as in an add. Rejects with
   * `validation_failed` when not configured, and with `reembedding_in_progress`.
   */
  begin(
    caller: Caller,
    memoryId: string,
    request: { embeddingModel: string; storeResponse?: StoreResponse<JobResource> },
  ): Promise<JobResource>
}

/**
 * The requested embedder. Unlike an add, a re-embedding never falls back to another model: throws
 * `validation_failed`, which lists the models.
 */
export function requireConfigured(embedders: Embedders, name: string): Embedder {
  const embedder = embedders.get(name)
  if (embedder !== null) return embedder
  const known = embedders.models.join(', ')
  throw invalid(
    'embeddingModel',
    `is not configured. Available: ${known}. To add a model, set RECOLLECT_EMBEDDER and restart`,
  )
}

/**
 * Locks the memory. Throws `memory_not_found`, and `reembedding_in_progress` with the id of the
 * pending or running job.
 */
export async function requireNoReembedding(transaction: Transaction<Tables>, memoryId: string): Promise<void> {
  const memory = await lockMemory(transaction, memoryId)
  if (memory === null) throw new ApiError('memory_not_found')
  if (memory.next_file === null) return
  const job = await getActiveJob(transaction, memoryId, REEMBEDDING_JOB)
  throw new ApiError('reembedding_in_progress', { extra: { jobId: job?.id ?? null } })
}

/** Payload and progress of a re-embedding job, stored as JSON. */
export type ReembeddingPayload = {
  /** Own name of the new model. */
  embeddingModel: string
  /** Name of the new memory file. */
  file: string
  /** All documents live at the start are copied up to this sequence number. */
  carriedTo: number
  /** Number of copied chunks. */
  chunks: number
}
