import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import type { AcceptedDocuments } from '../../api/ingest.ts'
import type { JobResult } from '../../api/job.ts'
import { closeIntents, openIntents } from '../../database/deletion/intents-table.ts'
import { enqueueDeletion } from '../../database/deletion/removals-table.ts'
import { countWaitingJobs, finalizeJob, insertJob } from '../../database/jobs/jobs-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import { newId } from '../../ids.ts'
import type { PlanId } from '../../limits.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { pluralize } from '../../text/pluralize.ts'
import { requirePlan } from '../account/account-checks.ts'
import type { Caller } from '../caller.ts'
import { documentObject } from '../document-objects.ts'
import { MAX_WAITING_JOBS } from '../ingest/enqueue-ingestion.ts'
import type { UploadedFile } from '../ingest/ingest.ts'
import type { IngestDeps } from '../ingest/ingest-deps.ts'
import { intentExpired } from '../ingest/storing/commit-documents.ts'
import { discardBeforeAnswer } from '../ingest/storing/discard-documents.ts'
import { IMPORT_JOB, type JobHandler, type JobWork } from '../jobs/job-handler.ts'
import { toJobResource } from '../jobs/job-resource.ts'
import { requireRoomForMemory } from '../memories/memories-service.ts'
import { requireGoing, type StoreResponse } from '../request-work.ts'
import type { ImportOptions } from './archive-service.ts'
import { requireArchive } from './check-archive.ts'
import { type ImportedArchive, importArchive } from './import-archive.ts'

/** Share of the progress for checking the archive, in percent. */
const CHECKED_PERCENT = 10

/**
 * Handler of import jobs. Each attempt creates a new memory; a failed attempt leaves an intent, as
 * an add does.
 */
export function createImportJob(deps: IngestDeps): JobHandler {
  return {
    createsMemory: true,

    async run(work) {
      const payload = JSON.parse(work.job.payload) as ImportPayload
      const startedMs = performance.now()
      const path = join(deps.temporaryDirectory, `archive-${randomUUID()}`)
      try {
        work.report(0, 'checking the archive')
        await fetchArchive(deps, work, { payload, path })
        const organizationId = work.job.organization_id
        await importArchive(deps, {
          caller: { organizationId, planId: await requirePlan(deps.db, organizationId) },
          name: payload.name,
          projectId: payload.projectId,
          path,
          signal: work.signal,
          progress: (documents, all) =>
            work.report(toPercent(documents, all), `imported ${documents} of ${pluralize(all, 'document')}`),
          finish: (transaction, imported) => end(transaction, deps, { work, imported, startedMs }),
        })
      } finally {
        await rm(path, { force: true })
      }
    },

    /** The staged archive is deleted with the job: the caller still has the archive. */
    async onFailed(transaction, job) {
      await removeStaged(transaction, job, deps.now())
    },

    async onRetried() {
      throw new ApiError('job_not_cancellable', {
        message: 'Archives of failed imports are deleted, so the job cannot be retried.',
        remedy: 'Send the archive again with POST /v1/memories/import.',
      })
    },
  }
}

function toPercent(documents: number, all: number): number {
  return Math.min(99, CHECKED_PERCENT + Math.floor(((99 - CHECKED_PERCENT) * documents) / Math.max(1, all)))
}

/** Copies the staged archive to the local disk, where the import reads the archive twice. */
async function fetchArchive(
  { blobs }: IngestDeps,
  { job, signal }: JobWork,
  { payload, path }: { payload: ImportPayload; path: string },
): Promise<void> {
  const content = await blobs.get(stagedKey(job.memory_id, payload))
  if (content === null) throw new ApiError('invalid_archive', { message: 'The staged archive was deleted.' })
  await writeNewFile(path, content, { signal })
}

async function end(
  transaction: Transaction<Tables>,
  deps: IngestDeps,
  { work: { job, leaseToken }, imported, startedMs }: { work: JobWork; imported: ImportedArchive; startedMs: number },
): Promise<void> {
  const { memory, warnings, chunks, totalBytes } = imported
  const documents = memory.documentCount + memory.correctionCount
  const result: JobResult = {
    documentsAdded: documents,
    documentsSkipped: 0,
    chunksCreated: chunks,
    // Left empty: an import may have any number of documents, which the list of documents returns.
    documentIds: [],
    totalBytes,
    processingMs: Math.round(performance.now() - startedMs),
    warnings,
  }
  await removeStaged(transaction, job, deps.now())
  await transaction.updateTable('jobs').set({ memory_id: memory.id }).where('id', '=', job.id).execute()
  await finalizeJob(transaction, {
    jobId: job.id,
    leaseToken,
    status: 'completed',
    message: `Imported ${pluralize(documents, 'document')}, ${pluralize(chunks, 'chunk')}.`,
    result,
    error: null,
    errorCode: null,
    now: deps.now(),
  })
}

async function removeStaged(transaction: Transaction<Tables>, job: Job, now: Date): Promise<void> {
  await enqueueDeletion(transaction, { kind: 'memory', memoryId: job.memory_id, now })
}

/** An archive to import by a job. */
type AcceptImport = {
  caller: Caller
  file: UploadedFile
  options: ImportOptions
  reason: 'file_over_sync_threshold' | 'async_requested'
  signal: AbortSignal
  storeResponse: StoreResponse<AcceptedDocuments>
}

/**
 * Stages an archive for the worker under an unpublished memory id; the imported memory gets a
 * different id. Rejects with `invalid_archive`, `memory_limit_reached`, `queue_full`,
 * `insufficient_storage`, `request_timeout`.
 */
export async function acceptImport(deps: IngestDeps, accept: AcceptImport): Promise<AcceptedDocuments> {
  const { db, blobs, owner } = deps
  const { organizationId, planId } = accept.caller
  await requireArchive(accept.file.path)
  await requireRoomForMemory(db, accept.caller)
  await blobs.requireRoom(accept.file.bytes)
  const [memoryId, documentId] = [newId('mem'), newId('doc')]
  const { name, projectId } = accept.options
  const payload: ImportPayload = { planId, name, projectId, documentId, bytes: accept.file.bytes }
  const documentIds = [memoryId]
  await openIntents(db, { memoryId, documentIds, owner, at: deps.now().toISOString() })
  try {
    await blobs.putFile(stagedKey(memoryId, payload), accept.file.path)
    failpoint('import:staged')
    requireGoing(accept.signal)
    const accepted = await db.transaction().execute(async (transaction) => {
      if ((await countWaitingJobs(transaction, organizationId)) >= MAX_WAITING_JOBS) throw new ApiError('queue_full')
      if (!(await closeIntents(transaction, { documentIds, owner }))) throw intentExpired()
      const facts = { organizationId, memoryId, jobType: IMPORT_JOB, payload, now: deps.now() }
      const job = toJobResource(await insertJob(transaction, facts))
      const answer: AcceptedDocuments = {
        jobId: job.id,
        pollUrl: `/v1/jobs/${job.id}`,
        status: 'pending',
        reason: accept.reason,
        documentIds: [],
        job,
        warnings: [],
      }
      await accept.storeResponse(transaction, answer)
      requireGoing(accept.signal)
      return answer
    })
    deps.changes.publish({ jobId: accepted.jobId, kind: 'queued' })
    return accepted
  } catch (error) {
    await discardBeforeAnswer(deps, { memoryId, documentIds, error })
    throw error
  }
}

/**
 * Payload of an import job, stored as JSON. Until the job completes, the job's memory is the id
 * under which the archive is staged.
 */
type ImportPayload = {
  /**
   * Plan when the job was created, for processes of earlier versions; the import uses the current
   * plan.
   */
  planId: PlanId
  name: string | null
  projectId: string | null
  /** Id of the staged archive. */
  documentId: string
  bytes: number
}

/** Key of the staged archive, the same as for an upload of a document. */
function stagedKey(memoryId: string, { documentId }: Pick<ImportPayload, 'documentId'>): string {
  return documentObject(memoryId, documentId, 'upload')
}
