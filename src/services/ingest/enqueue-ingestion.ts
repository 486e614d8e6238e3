import type { Transaction } from 'kysely'
import type { AcceptedDocuments } from '../../api/ingest.ts'
import type { Warning } from '../../api/values.ts'
import { closeIntents } from '../../database/deletion/intents-table.ts'
import { countWaitingJobs, insertJob } from '../../database/jobs/jobs-table.ts'
import { insertTagsBeforePublishing } from '../../database/memories/document-tags-table.ts'
import { insertDocuments, type PublishedDocument } from '../../database/memories/document-writes.ts'
import { lockMemory } from '../../database/memories/memories-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { failpoint } from '../../observability/failpoints.ts'
import type { Caller } from '../caller.ts'
import { INGESTION_JOB } from '../jobs/job-handler.ts'
import { toJobResource } from '../jobs/job-resource.ts'
import { requireGoing, type StoreResponse } from '../request-work.ts'
import type { IngestDeps } from './ingest-deps.ts'
import type { IngestionPayload } from './job/ingestion-payload.ts'
import { intentExpired, openWriteIntents } from './storing/commit-documents.ts'
import { type DiscardDeps, discardBeforeAnswer } from './storing/discard-documents.ts'
import { type DocumentFacts, toPendingRow } from './storing/document-row.ts'
import { requireStorage } from './storing/storage-quota.ts'

/**
 * Maximum waiting jobs of an organization. Our choice: far above any real backlog, below what would
 * fill the disk with uploads.
 */
export const MAX_WAITING_JOBS = 20_000

/** Documents to accept now and ingest by a job. */
export type AcceptCommand = {
  caller: Caller
  memoryId: string
  embeddingModel: string
  /** Facts of every document; `jobId` is set by {@link enqueueIngestion}. */
  documents: readonly DocumentFacts[]
  payload: IngestionPayload
  reason: AcceptedDocuments['reason']
  /**
   * Stores the job's input in the object store; returns texts for the database by document id,
   * packed by `packText`.
   */
  stage: () => Promise<ReadonlyMap<string, string | Uint8Array>>
  warnings: readonly Warning[]
  signal: AbortSignal
  storeResponse: StoreResponse<AcceptedDocuments>
}

/**
 * Creates a job for documents. On return, all input is durable, and job and documents are readable.
 * Rejects with `queue_full`, `storage_quota_exceeded` (the plan is already used up),
 * `memory_not_found`, `embedding_model_pinned`, `request_timeout`.
 */
export async function enqueueIngestion(
  deps: DiscardDeps & Pick<IngestDeps, 'changes'>,
  accept: AcceptCommand,
): Promise<AcceptedDocuments> {
  const jobId = newId('job')
  await deps.blobs.requireRoom(accept.documents.reduce((total, { sizeBytes }) => total + sizeBytes, 0))
  const at = deps.now().toISOString()
  const documentIds = accept.documents.map(({ id }) => id)
  const { memoryId, embeddingModel } = accept
  await openWriteIntents(deps, { memoryId, embeddingModel, documentIds, at })
  try {
    const inlineTexts = await accept.stage()
    requireGoing(accept.signal)
    const documents = await insertTagsBeforePublishing(
      deps.db,
      toPendingDocuments(accept.documents, { inlineTexts, jobId, at }),
    )
    const accepted = await deps.db.transaction().execute(async (transaction) => {
      await requireCapacity(transaction, accept)
      await insertDocuments(transaction, documents)
      if (!(await closeIntents(transaction, { documentIds, owner: deps.owner }))) throw intentExpired()
      const { organizationId } = accept.caller
      const { memoryId, payload } = accept
      const facts = { organizationId, memoryId, jobType: INGESTION_JOB, payload, now: deps.now(), jobId }
      const answer = toAcceptedDocuments(accept, await insertJob(transaction, facts))
      await accept.storeResponse(transaction, answer)
      requireGoing(accept.signal)
      return answer
    })
    failpoint('job:accepted')
    deps.changes.publish({ jobId, kind: 'queued' })
    return accepted
  } catch (error) {
    await discardBeforeAnswer(deps, { memoryId, documentIds, error })
    throw error
  }
}

function toAcceptedDocuments(
  { reason, documents, payload: { zip }, warnings }: AcceptCommand,
  job: Job,
): AcceptedDocuments {
  return {
    jobId: job.id,
    pollUrl: `/v1/jobs/${job.id}`,
    status: 'pending',
    reason,
    documentIds: documents.map(({ id }) => id),
    ...(zip === undefined ? {} : { members: zip.members }),
    job: toJobResource(job),
    warnings: [...warnings],
  }
}

async function requireCapacity(transaction: Transaction<Tables>, { caller, memoryId }: AcceptCommand): Promise<void> {
  if (!(await lockMemory(transaction, memoryId))) throw new ApiError('memory_not_found')
  await requireStorage(transaction, caller, 0)
  if ((await countWaitingJobs(transaction, caller.organizationId)) >= MAX_WAITING_JOBS) throw new ApiError('queue_full')
}

function toPendingDocuments(
  documents: readonly DocumentFacts[],
  { inlineTexts, jobId, at }: { inlineTexts: ReadonlyMap<string, string | Uint8Array>; jobId: string; at: string },
): PublishedDocument[] {
  return documents.map((facts) => ({
    row: toPendingRow({ ...facts, jobId }, at),
    tags: facts.tags,
    inlineText: inlineTexts.get(facts.id) ?? null,
    signature: null,
  }))
}
