import type { Transaction } from 'kysely'
import { LeaseLostError } from '../../../database/jobs/jobs-table.ts'
import {
  listDocumentsOfJob,
  setDocumentsStatus,
  setEmbeddingModel,
} from '../../../database/memories/document-writes.ts'
import {
  type chunkSizesOf,
  currentFileOf,
  getFilesOfMemory,
  pinEmbeddingModel,
  unpinEmbeddingModel,
} from '../../../database/memories/memories-table.ts'
import type { Document, Job, Tables } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
import type { Embedder } from '../../../models/embedder.ts'
import { failpoint } from '../../../observability/failpoints.ts'
import { requirePlan } from '../../account/account-checks.ts'
import { removeOrphans } from '../../deletion/sweep-orphans.ts'
import { type JobHandler, type JobWork, removeChunksOfJob } from '../../jobs/job-handler.ts'
import type { MemoryFiles } from '../../memory-files.ts'
import type { RecognitionPlan } from '../../reading/recognition.ts'
import { requireEmbedder } from '../embedding-model.ts'
import { chooseIndexing } from '../indexing/choose-indexing.ts'
import type { IngestDeps, JobDeps } from '../ingest-deps.ts'
import { MemoryReembedded } from '../storing/commit-documents.ts'
import { QuotaConflict } from '../storing/storage-quota.ts'
import { downloadUpload, ingestFile } from './ingest-file.ts'
import { ingestTexts } from './ingest-texts.ts'
import { ingestZip } from './ingest-zip.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/**
 * Runs of an attempt when others use up the plan's storage meanwhile; then the job fails. Our
 * choice: as many as a job has attempts.
 */
const MAX_RUNS = 5

/** Handler of ingestion jobs: an uploaded file, or texts that are already stored. */
export function createIngestionJob(deps: IngestDeps): JobHandler {
  return {
    async run(work) {
      const run = await deps.runs.begin(work.job)
      failpoint('job:begun')
      try {
        await runAttempt(deps, work)
      } finally {
        await endAttempt(deps, work.job, run)
      }
    },

    async onFailed(transaction, job, { error }) {
      const change = { jobId: job.id, from: ['pending', 'processing'], to: 'failed', at: now(deps), error } as const
      await setDocumentsStatus(transaction, change)
      await unpinEmbeddingModel(transaction, job.memory_id)
    },

    async onRetried(transaction, job) {
      await preparePayload(transaction, job)
      await setDocumentsStatus(transaction, {
        jobId: job.id,
        from: ['failed'],
        to: 'pending',
        at: now(deps),
        error: null,
      })
      if ((await listRemainingDocuments(transaction, job)).length > 0) return
      throw new ApiError('document_not_found', { message: 'The documents of the job were deleted.' })
    },
  }
}

/** Runs an attempt that has a row. No write follows after the end. */
async function runAttempt(deps: IngestDeps, work: JobWork): Promise<void> {
  const payload = await downloadUpload(deps, work, await readPayload(deps, work.job))
  const rows = await listDocumentsOfJob(deps.db, work.job.id)
  const bytes = rows.reduce((total, { size_bytes }) => total + size_bytes, 0)
  await deps.blobs.requireRoom(bytes)
  // A partial document is already live: the job overwrites its chunks.
  const unseen = rows.filter(({ status }) => status !== 'partial').map(({ id }) => id)
  await discardEarlierAttempts(deps, work, rows)
  await setDocumentsStatus(deps.db, { jobId: work.job.id, from: ['pending'], to: 'processing', at: now(deps) })
  const { embedder, file, chunkSizes } = await claimEmbedder(deps, work.job, rows)
  const indexing = chooseIndexing(deps, embedder, { bytes, chunkSizes })
  const { memoryFile, settled } = pinToFile(deps, work.job.memory_id, file)
  const ingest = () => ingestPayload({ ...deps, indexing, file, memoryFile, settled }, work, payload)
  try {
    await retryOnQuotaConflict(ingest, {
      // Chunks of a live document that were overwritten cannot be restored.
      mayRepeat: unseen.length === rows.length,
      takeBack: () => removeChunksOfJob(deps, work, unseen),
    })
  } catch (error) {
    await settled()
    await discardChunks(deps, work, unseen)
    throw error
  }
}

function ingestPayload(deps: JobDeps, work: JobWork, payload: IngestionPayload): Promise<void> {
  const { file, zip } = payload
  if (zip !== undefined) return ingestZip(deps, work, { ...payload, zip })
  return file === null ? ingestTexts(deps, work, payload) : ingestFile(deps, work, { ...payload, file })
}

/**
 * Ends the row of the attempt, after its last write, and processes deletions that waited. Never
 * rejects; failures are left for the sweep.
 */
async function endAttempt(deps: IngestDeps, { id, memory_id: memoryId, payload }: Job, run: string): Promise<void> {
  try {
    const wasNamed = await deps.runs.end(run)
    failpoint('job:over')
    const { documentIds } = JSON.parse(payload) as IngestionPayload
    // Removals did not wait for this attempt, since its process was taken for dead.
    if (!wasNamed) await removeOrphans(deps, memoryId, documentIds)
  } catch (err) {
    deps.log.warn({ err, jobId: id }, 'cleanup deferred: the end of a job attempt could not be written')
  }
  await deps.removals.processOfJob(id)
}

/** Payload with the current plan: the plan may have grown since. */
async function readPayload({ db }: IngestDeps, job: Job): Promise<IngestionPayload> {
  const payload = JSON.parse(job.payload) as IngestionPayload
  return { ...payload, planId: await requirePlan(db, job.organization_id) }
}

/** Repeats the work when others used the storage that the work was measured for. */
async function retryOnQuotaConflict(
  ingest: () => Promise<void>,
  { mayRepeat, takeBack }: { mayRepeat: boolean; takeBack: () => Promise<void> },
): Promise<void> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await ingest()
    } catch (error) {
      if (!(error instanceof QuotaConflict) || !mayRepeat || runs === MAX_RUNS) throw error
      await takeBack()
    }
  }
}

/**
 * The embedder, file and chunk sizes of the job's memory. The model of the add is used, unless
 * another add pinned another model after a failure, or the memory was re-embedded. Rejects with
 * `embedding_model_pinned` when not configured, and with `memory_not_found`.
 */
async function claimEmbedder(
  deps: IngestDeps,
  { id, memory_id }: Job,
  rows: readonly Document[],
): Promise<{ embedder: Embedder; file: string; chunkSizes: ReturnType<typeof chunkSizesOf> }> {
  const wanted = rows[0]?.embedding_model ?? deps.embedders.default.model
  const pinned = await pinEmbeddingModel(deps.db, memory_id, wanted)
  if (pinned === null) throw new ApiError('memory_not_found')
  const { embeddingModel, file, chunkSizes } = pinned
  const embedder = requireEmbedder(deps.embedders, embeddingModel)
  if (embeddingModel !== wanted) await setEmbeddingModel(deps.db, id, embeddingModel)
  return { embedder, file, chunkSizes }
}

/**
 * A retry of a partial document may recognise as many further pages as before. Any other retry
 * downloads its file again.
 */
async function preparePayload(transaction: Transaction<Tables>, job: Job): Promise<void> {
  const payload = JSON.parse(job.payload) as IngestionPayload
  const rows = await listDocumentsOfJob(transaction, job.id)
  const isPartial = rows.some(({ status }) => status === 'partial')
  const { file, zip, download } = payload
  if (!isPartial && download === undefined) return
  const prepared: IngestionPayload = isPartial
    ? { ...payload, file: file && raiseRetries(file), ...(zip && { zip: raiseRetries(zip) }) }
    : { ...payload, file: null }
  await transaction
    .updateTable('jobs')
    .set({ payload: JSON.stringify(prepared) })
    .where('id', '=', job.id)
    .execute()
}

function raiseRetries<Input extends { recognition: RecognitionPlan }>(input: Input): Input {
  const { recognition } = input
  return { ...input, recognition: { ...recognition, retries: (recognition.retries ?? 0) + 1 } }
}

/** Documents of the job that were not deleted. */
async function listRemainingDocuments(transaction: Transaction<Tables>, job: Job): Promise<string[]> {
  const there = await transaction.selectFrom('documents').select('id').where('job_id', '=', job.id).execute()
  return there.map(({ id }) => id)
}

function now(deps: IngestDeps): string {
  return deps.now().toISOString()
}

/**
 * Deletes chunks of earlier attempts. The first attempt deletes nothing: a worker that resumes
 * after a pause would delete chunks of the worker that took over. Rejects with
 * {@link LeaseLostError} when another worker has the job.
 */
async function discardEarlierAttempts(deps: IngestDeps, work: JobWork, rows: readonly Document[]): Promise<void> {
  const unseen = rows.filter(({ status }) => status !== 'partial')
  const isFirst =
    work.job.attempts === 1 && unseen.every((row) => row.status === 'pending' && row.updated_at === row.created_at)
  if (isFirst || unseen.length === 0) return
  await removeChunksOfJob(
    deps,
    work,
    unseen.map(({ id }) => id),
  )
}

/** Chunks of unpublished documents would distort the ranking of live ones. */
async function discardChunks(deps: IngestDeps, work: JobWork, documentIds: readonly string[]): Promise<void> {
  const memoryId = work.job.memory_id
  try {
    await removeChunksOfJob(deps, work, documentIds)
  } catch (err) {
    // Another attempt has the job, or the job has ended; removals of deleted documents wait for
    // this attempt.
    if (err instanceof LeaseLostError) return
    deps.log.warn({ err, memoryId }, 'cleanup deferred: chunks of a failed job attempt remain')
  }
}

/**
 * Pins a job, which may run for hours, to one file of its memory. A write rejects with {@link
 * MemoryReembedded} when the memory has another file. The commit would refuse anyway, but writing
 * could recreate a deleted file.
 *
 * `settled` resolves when no write is running: a failed job may have a pending write, whose chunks
 * would follow their deletion.
 */
function pinToFile(
  { db, memoryFile }: Pick<IngestDeps, 'db' | 'memoryFile'>,
  memoryId: string,
  name: string,
): { memoryFile: MemoryFiles; settled: () => Promise<void> } {
  const file = memoryFile.named(name)
  const writes = new Set<Promise<void>>()

  async function write(...[, chunks, options]: Parameters<MemoryFiles['add']>): Promise<void> {
    const memory = await getFilesOfMemory(db, memoryId)
    if (memory !== null && currentFileOf(memory) !== name) throw new MemoryReembedded(memory)
    await file.add(memoryId, chunks, options)
  }

  return {
    memoryFile: {
      ...file,
      add(...asked) {
        const writing = write(...asked).finally(() => writes.delete(writing))
        writes.add(writing)
        return writing
      },
      byName: memoryFile.byName,
      named: memoryFile.named,
    },
    settled: async () => void (await Promise.allSettled(writes)),
  }
}
