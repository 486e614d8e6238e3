import type { AcceptedDocuments } from '../../../api/ingest.ts'
import { closeIntents, openIntents } from '../../../database/deletion/intents.ts'
import { countWaitingJobs, insertJob } from '../../../database/jobs/jobs.ts'
import { ApiError } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import { reachStep } from '../../../observability/failpoints.ts'
import type { Caller } from '../../caller.ts'
import { MAX_WAITING_JOBS } from '../../ingest/accept-job.ts'
import type { IngestParts } from '../../ingest/ingest-parts.ts'
import { requireGoing } from '../../ingest/require-going.ts'
import { takenForDead } from '../../ingest/storing/commit-documents.ts'
import { discardBeforeAnswer } from '../../ingest/storing/discard-documents.ts'
import type { UploadedFile } from '../../ingest/uploaded-file.ts'
import { toJobResource } from '../../jobs/job-resource.ts'
import { IMPORT_JOB } from '../../jobs/job-types.ts'
import type { Keep } from '../../keep.ts'
import { requireRoomForMemory } from '../../memories/memories-service.ts'
import type { ImportOptions } from '../archives.ts'
import { requireArchive } from '../reading/require-archive.ts'
import { type ImportPayload, stagedKey } from './import-payload.ts'

/** An archive that a job is to import. */
export type AcceptImport = {
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
export async function acceptImport(parts: IngestParts, accept: AcceptImport): Promise<AcceptedDocuments> {
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
      if (!(await closeIntents(transaction, { documentIds, owner }))) throw takenForDead()
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
