import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import type { JobResult } from '../../api/job.ts'
import { insertRemoval } from '../../database/deletion/removals-table.ts'
import { finishJob } from '../../database/jobs/jobs-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import { pluralize } from '../../text/pluralize.ts'
import { requirePlan } from '../account/account-checks.ts'
import type { IngestDeps } from '../ingest/ingest-deps.ts'
import type { JobHandler, JobWork } from '../jobs/job-handler.ts'
import { type ImportPayload, stagedKey } from './accept-import.ts'
import { type ImportedArchive, importArchive } from './import-archive.ts'

/** Share of the progress that checking has before anything is written, in percent. */
const CHECKED_PERCENT = 10

/** The work of import jobs. Each attempt makes a memory of its own; what one that failed wrote bears an intent, as an add does. */
export function createImportJob(parts: IngestDeps): JobHandler {
  return {
    makesMemory: true,

    async run(work) {
      const payload = JSON.parse(work.job.payload) as ImportPayload
      const startedMs = performance.now()
      const path = join(parts.temporaryDirectory, `archive-${randomUUID()}`)
      try {
        work.report(0, 'checking the archive')
        await fetchArchive(parts, work, { payload, path })
        const organizationId = work.job.organization_id
        await importArchive(parts, {
          caller: { organizationId, planId: await requirePlan(parts.db, organizationId) },
          name: payload.name,
          projectId: payload.projectId,
          path,
          signal: work.signal,
          progress: (documents, all) =>
            work.report(toPercent(documents, all), `imported ${documents} of ${pluralize(all, 'document')}`),
          finish: (transaction, imported) => end(transaction, parts, { work, imported, startedMs }),
        })
      } finally {
        await rm(path, { force: true })
      }
    },

    /** The archive goes with the job: who wants to try again has it. */
    async failed(transaction, job) {
      await removeStaged(transaction, job, parts.now())
    },

    async retried() {
      throw new ApiError('job_not_cancellable', {
        message: 'The archive of an import that failed is not kept, so its job cannot be retried.',
        remedy: 'Send the archive again with POST /v1/memories/import.',
      })
    },
  }
}

function toPercent(documents: number, all: number): number {
  return Math.min(99, CHECKED_PERCENT + Math.floor(((99 - CHECKED_PERCENT) * documents) / Math.max(1, all)))
}

/** Puts the staged archive on the local disk, where it is read twice. */
async function fetchArchive(
  { blobs }: IngestDeps,
  { job, signal }: JobWork,
  { payload, path }: { payload: ImportPayload; path: string },
): Promise<void> {
  const content = await blobs.get(stagedKey(job.memory_id, payload))
  if (content === null) throw new ApiError('invalid_archive', { message: 'The archive is no longer there.' })
  await writeNewFile(path, content, { signal })
}

async function end(
  transaction: Transaction<Tables>,
  parts: IngestDeps,
  { work: { job, leaseToken }, imported, startedMs }: { work: JobWork; imported: ImportedArchive; startedMs: number },
): Promise<void> {
  const { memory, warnings, chunks, totalBytes } = imported
  const documents = memory.documentCount + memory.correctionCount
  const result: JobResult = {
    documentsAdded: documents,
    documentsSkipped: 0,
    chunksCreated: chunks,
    // As many as the memory has; its list gives them.
    documentIds: [],
    totalBytes,
    processingMs: Math.round(performance.now() - startedMs),
    warnings,
  }
  await removeStaged(transaction, job, parts.now())
  await transaction.updateTable('jobs').set({ memory_id: memory.id }).where('id', '=', job.id).execute()
  await finishJob(transaction, {
    jobId: job.id,
    leaseToken,
    status: 'completed',
    message: `Imported ${pluralize(documents, 'document')}, ${pluralize(chunks, 'chunk')}.`,
    result,
    error: null,
    errorCode: null,
    now: parts.now(),
  })
}

async function removeStaged(transaction: Transaction<Tables>, job: Job, now: Date): Promise<void> {
  await insertRemoval(transaction, { kind: 'memory', memoryId: job.memory_id, now })
}
