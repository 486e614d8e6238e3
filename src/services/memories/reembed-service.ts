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
import { type Keep, keepNothing } from '../request-work.ts'

/** What the service of re-embeddings is made of. */
type ReembedServiceDeps = {
  db: Kysely<Tables>
  embedders: Embedders
  changes: JobChanges
  now: () => Date
}

/** Takes re-embeddings on; the work is a job's (`reembed/`). */
export function createReembedService({ db, embedders, changes, now }: ReembedServiceDeps): ReembedService {
  return {
    async begin(caller, memoryId, { embeddingModel: name, keep = keepNothing }) {
      const { organization_id: organizationId } = await requireMemory(db, caller, memoryId)
      const { model: embeddingModel } = requireConfigured(embedders, name)
      const job = await db.transaction().execute(async (transaction) => {
        await requireNoReembedding(transaction, memoryId)
        const file = newFileName(memoryId)
        await setShadowFile(transaction, memoryId, file)
        const payload: ReembeddingPayload = { embeddingModel, file, carriedTo: 0, chunks: 0 }
        const facts = { organizationId, memoryId, jobType: REEMBEDDING_JOB, payload, now: now() }
        const begun = toJobResource(await insertJob(transaction, facts))
        await keep(transaction, begun)
        return begun
      })
      failpoint('reembed:begun')
      changes.publish({ jobId: job.id, kind: 'queued' })
      return job
    },
  }
}

/** The vectors of a memory, made anew by another model. */
export type ReembedService = {
  /**
   * Has all vectors of the memory made anew by a model that is named as an add names it; the job
   * that does it. Rejects with `validation_failed` where that is not configured, with
   * `reembedding_in_progress`.
   */
  begin(
    caller: Caller,
    memoryId: string,
    request: { embeddingModel: string; keep?: Keep<JobResource> },
  ): Promise<JobResource>
}

/**
 * The embedder that a re-embedding asks for. Unlike in an add, no other is taken in its place:
 * throws `validation_failed`, which says which there are.
 */
export function requireConfigured(embedders: Embedders, name: string): Embedder {
  const embedder = embedders.get(name)
  if (embedder !== null) return embedder
  const known = embedders.models.join(', ')
  throw invalid(
    'embeddingModel',
    `is not configured here: name one of ${known}, or set RECOLLECT_EMBEDDER to it and start again`,
  )
}

/**
 * Locks the memory. Throws `memory_not_found`, and `reembedding_in_progress` with the job's
 * identifier where a re-embedding of it waits or runs.
 */
export async function requireNoReembedding(transaction: Transaction<Tables>, memoryId: string): Promise<void> {
  const memory = await lockMemory(transaction, memoryId)
  if (memory === null) throw new ApiError('memory_not_found')
  if (memory.next_file === null) return
  const job = await getActiveJob(transaction, memoryId, REEMBEDDING_JOB)
  throw new ApiError('reembedding_in_progress', { extra: { jobId: job?.id ?? null } })
}

/**
 * What a job that re-embeds has to know beside its memory; stored as JSON, and how far it has come
 * with it.
 */
export type ReembeddingPayload = {
  /** The model of the new vectors, by its own name. */
  embeddingModel: string
  /** The name of the file they go to. */
  file: string
  /**
   * Every document that showed at the beginning, up to this number in the order of arrival, is in
   * the file.
   */
  carriedTo: number
  /** Chunks that were written so far. */
  chunks: number
}
