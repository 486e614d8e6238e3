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
import { type Keep, requireGoing } from '../request-work.ts'
import type { IngestDeps } from './ingest-deps.ts'
import type { IngestionPayload } from './job/ingestion-payload.ts'
import { beginWriting, intentExpired } from './storing/commit-documents.ts'
import { type DiscardDeps, discardBeforeAnswer } from './storing/discard-documents.ts'
import { type DocumentFacts, waitingRow } from './storing/document-row.ts'
import { requireStorage } from './storing/storage-quota.ts'

/**
 * Waiting jobs an organization may have. Ours: far above any honest backlog, below what would fill
 * the disk with uploads.
 */
export const MAX_WAITING_JOBS = 20_000

/** Documents that are accepted now and ingested by a job. */
export type Accept = {
  caller: Caller
  memoryId: string
  embeddingModel: string
  /** Facts of every document; `jobId` is filled in here. */
  documents: readonly DocumentFacts[]
  payload: IngestionPayload
  reason: AcceptedDocuments['reason']
  /**
   * Puts what the job will read into the object store; gives the texts that stand in the database
   * from the beginning, by document, as `packText` does.
   */
  stage: () => Promise<ReadonlyMap<string, string | Uint8Array>>
  warnings: readonly Warning[]
  signal: AbortSignal
  keep: Keep<AcceptedDocuments>
}

/**
 * Takes documents on for the worker: what it needs is durable, and job and documents can be read,
 * when this resolves. Rejects with `queue_full`, `storage_quota_exceeded` (the plan is used up
 * already), `memory_not_found`, `embedding_model_pinned`, `request_timeout`.
 */
export async function acceptJob(
  deps: DiscardDeps & Pick<IngestDeps, 'changes'>,
  accept: Accept,
): Promise<AcceptedDocuments> {
  const jobId = newId('job')
  await deps.blobs.requireRoom(accept.documents.reduce((total, { sizeBytes }) => total + sizeBytes, 0))
  const at = deps.now().toISOString()
  const documentIds = accept.documents.map(({ id }) => id)
  const { memoryId, embeddingModel } = accept
  await beginWriting(deps, { memoryId, embeddingModel, documentIds, at })
  try {
    const inlineTexts = await accept.stage()
    requireGoing(accept.signal)
    const documents = await insertTagsBeforePublishing(
      deps.db,
      waitingDocuments(accept.documents, { inlineTexts, jobId, at }),
    )
    const accepted = await deps.db.transaction().execute(async (transaction) => {
      await requireRoom(transaction, accept)
      await insertDocuments(transaction, documents)
      if (!(await closeIntents(transaction, { documentIds, owner: deps.owner }))) throw intentExpired()
      const { organizationId } = accept.caller
      const { memoryId, payload } = accept
      const facts = { organizationId, memoryId, jobType: INGESTION_JOB, payload, now: deps.now(), jobId }
      const answer = toAnswer(accept, await insertJob(transaction, facts))
      await accept.keep(transaction, answer)
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

function toAnswer({ reason, documents, warnings }: Accept, job: Job): AcceptedDocuments {
  return {
    jobId: job.id,
    pollUrl: `/v1/jobs/${job.id}`,
    status: 'pending',
    reason,
    documentIds: documents.map(({ id }) => id),
    job: toJobResource(job),
    warnings: [...warnings],
  }
}

async function requireRoom(transaction: Transaction<Tables>, { caller, memoryId }: Accept): Promise<void> {
  if (!(await lockMemory(transaction, memoryId))) throw new ApiError('memory_not_found')
  await requireStorage(transaction, caller, 0)
  if ((await countWaitingJobs(transaction, caller.organizationId)) >= MAX_WAITING_JOBS) throw new ApiError('queue_full')
}

function waitingDocuments(
  documents: readonly DocumentFacts[],
  { inlineTexts, jobId, at }: { inlineTexts: ReadonlyMap<string, string | Uint8Array>; jobId: string; at: string },
): PublishedDocument[] {
  return documents.map((facts) => ({
    row: waitingRow({ ...facts, jobId }, at),
    tags: facts.tags,
    inlineText: inlineTexts.get(facts.id) ?? null,
    signature: null,
  }))
}
