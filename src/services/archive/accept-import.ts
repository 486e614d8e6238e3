import type { AcceptedDocuments } from '../../api/ingest.ts'
import { closeIntents, openIntents } from '../../database/deletion/intents-table.ts'
import { countWaitingJobs, insertJob } from '../../database/jobs/jobs-table.ts'
import { ApiError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { PlanId } from '../../limits.ts'
import { reachStep } from '../../observability/failpoints.ts'
import type { Caller } from '../caller.ts'
import { documentObject } from '../document-objects.ts'
import { MAX_WAITING_JOBS } from '../ingest/accept-job.ts'
import type { UploadedFile } from '../ingest/ingest.ts'
import type { IngestDeps } from '../ingest/ingest-deps.ts'
import { intentExpired } from '../ingest/storing/commit-documents.ts'
import { discardBeforeAnswer } from '../ingest/storing/discard-documents.ts'
import { IMPORT_JOB } from '../jobs/job-handler.ts'
import { toJobResource } from '../jobs/job-resource.ts'
import { requireRoomForMemory } from '../memories/memories-service.ts'
import { type Keep, requireGoing } from '../request-work.ts'
import type { ImportOptions } from './archive-service.ts'
import { requireArchive } from './check-archive.ts'

/** An archive that a job is to import. */
type AcceptImport = {
  caller: Caller
  file: UploadedFile
  options: ImportOptions
  reason: 'file_over_sync_threshold' | 'async_requested'
  signal: AbortSignal
  keep: Keep<AcceptedDocuments>
}

/**
 * Takes an archive on for the worker, staged under a memory of its own that never shows: what the job makes of it has another identifier. Rejects with
 * `invalid_archive` for what is no archive at all, `memory_limit_reached`, `queue_full`, `insufficient_storage`, `request_timeout`.
 */
export async function acceptImport(parts: IngestDeps, accept: AcceptImport): Promise<AcceptedDocuments> {
  const { db, blobs, owner } = parts
  const { organizationId, planId } = accept.caller
  await requireArchive(accept.file.path)
  await requireRoomForMemory(db, accept.caller)
  await blobs.requireRoom(accept.file.bytes)
  const [memoryId, documentId] = [newId('mem'), newId('doc')]
  const { name, projectId } = accept.options
  const payload: ImportPayload = { planId, name, projectId, documentId, bytes: accept.file.bytes }
  const documentIds = [memoryId]
  await openIntents(db, { memoryId, documentIds, owner, at: parts.now().toISOString() })
  try {
    await blobs.putFile(stagedKey(memoryId, payload), accept.file.path)
    reachStep('import:staged')
    requireGoing(accept.signal)
    const accepted = await db.transaction().execute(async (transaction) => {
      if ((await countWaitingJobs(transaction, organizationId)) >= MAX_WAITING_JOBS) throw new ApiError('queue_full')
      if (!(await closeIntents(transaction, { documentIds, owner }))) throw intentExpired()
      const facts = { organizationId, memoryId, jobType: IMPORT_JOB, payload, now: parts.now() }
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
      await accept.keep(transaction, answer)
      requireGoing(accept.signal)
      return answer
    })
    parts.changes.publish({ jobId: accepted.jobId, kind: 'queued' })
    return accepted
  } catch (error) {
    await discardBeforeAnswer(parts, { memoryId, documentIds, error })
    throw error
  }
}

/** What an import job has to know; stored as JSON. The job's memory is the one under which the archive is staged, until the job is completed. */
export type ImportPayload = {
  /** That of the organization when the job was made, for processes of earlier versions; the import is held to the one of today. */
  planId: PlanId
  name: string | null
  projectId: string | null
  /** Names the staged archive. */
  documentId: string
  bytes: number
}

/** Where the archive of a job is: as an upload is that waits for its job. */
export function stagedKey(memoryId: string, { documentId }: Pick<ImportPayload, 'documentId'>): string {
  return documentObject(memoryId, documentId, 'upload')
}
