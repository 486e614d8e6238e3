import type { Transaction } from 'kysely'
import { LeaseLostError } from '../../../database/jobs/jobs-table.ts'
import {
  listDocumentsOfJob,
  setDocumentsStatus,
  setEmbeddingModel,
} from '../../../database/memories/document-writes.ts'
import {
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
import { removeForgotten } from '../../deletion/sweep-orphans.ts'
import { type JobHandler, type JobWork, removeChunksOfJob } from '../../jobs/job-handler.ts'
import type { MemoryFiles } from '../../memory-files.ts'
import { requireEmbedder } from '../embedding-model.ts'
import { chooseIndexing } from '../indexing/choose-indexing.ts'
import type { IngestDeps } from '../ingest-deps.ts'
import { MemoryReembedded } from '../storing/commit-documents.ts'
import { QuotaConflict } from '../storing/storage-quota.ts'
import { ingestFile } from './ingest-file.ts'
import { ingestTexts } from './ingest-texts.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/**
 * Times that a job begins anew as others take the room of its plan while it works; then it fails.
 * Ours: as many as a job has attempts.
 */
const MOST_RUNS = 5

/** The work of ingestion jobs: an uploaded file, or texts that stand in the database already. */
export function createIngestionJob(deps: IngestDeps): JobHandler {
  return {
    async run(work) {
      const run = await deps.runs.begin(work.job)
      failpoint('job:begun')
      try {
        await runNamed(deps, work)
      } finally {
        await endRun(deps, work.job, run)
      }
    },

    async failed(transaction, job, { error }) {
      const change = { jobId: job.id, from: ['pending', 'processing'], to: 'failed', at: now(deps), error } as const
      await setDocumentsStatus(transaction, change)
      await unpinEmbeddingModel(transaction, job.memory_id)
    },

    async retried(transaction, job) {
      await allowFurtherPages(transaction, job)
      await setDocumentsStatus(transaction, {
        jobId: job.id,
        from: ['failed'],
        to: 'pending',
        at: now(deps),
        error: null,
      })
      if ((await listThere(transaction, job)).length > 0) return
      throw new ApiError('document_not_found', { message: 'What the job had to add was deleted.' })
    },
  }
}

/** The work of an attempt that is named by a row. It can write no more when this ends. */
async function runNamed(deps: IngestDeps, work: JobWork): Promise<void> {
  const payload = await readPayload(deps, work.job)
  const rows = await listDocumentsOfJob(deps.db, work.job.id)
  const bytes = rows.reduce((total, { size_bytes }) => total + size_bytes, 0)
  await deps.blobs.requireRoom(bytes)
  // A partial document shows already: it is read again over the chunks it has.
  const unseen = rows.filter(({ status }) => status !== 'partial').map(({ id }) => id)
  await discardEarlier(deps, work, rows)
  await setDocumentsStatus(deps.db, { jobId: work.job.id, from: ['pending'], to: 'processing', at: now(deps) })
  const { embedder, file } = await claimEmbedder(deps, work.job, rows)
  const indexing = chooseIndexing(deps, embedder, bytes)
  const { memoryFile, settled } = bindFile(deps, work.job.memory_id, file)
  const own = { ...deps, indexing, file, memoryFile }
  const { file: upload } = payload
  const ingest = () =>
    upload === null ? ingestTexts(own, work, payload) : ingestFile(own, work, { ...payload, file: upload })
  try {
    await ingestWhatFits(ingest, {
      // What was written over the chunks of a document that shows already cannot be taken back.
      mayRepeat: unseen.length === rows.length,
      takeBack: () => removeChunksOfJob(deps, work, unseen),
    })
  } catch (error) {
    await settled()
    await discardChunks(deps, work, unseen)
    throw error
  }
}

/**
 * The attempt can write no more: what was deleted meanwhile waited for that. Never rejects; what
 * fails is left for the sweep.
 */
async function endRun(deps: IngestDeps, { id, memory_id: memoryId, payload }: Job, run: string): Promise<void> {
  try {
    const wasNamed = await deps.runs.end(run)
    failpoint('job:over')
    const { documentIds } = JSON.parse(payload) as IngestionPayload
    // Removals did not wait for an attempt whose process was taken for dead.
    if (!wasNamed) await removeForgotten(deps, memoryId, documentIds)
  } catch (err) {
    deps.log.warn({ err, jobId: id }, 'left for the sweep: the end of an attempt could not be written')
  }
  await deps.removals.carryOutOfJob(id)
}

/** What the job was told, with the plan of today: one that was full may have grown since. */
async function readPayload({ db }: IngestDeps, job: Job): Promise<IngestionPayload> {
  const payload = JSON.parse(job.payload) as IngestionPayload
  return { ...payload, planId: await requirePlan(db, job.organization_id) }
}

/** Does the work again where others took the room that it was measured to. */
async function ingestWhatFits(
  ingest: () => Promise<void>,
  { mayRepeat, takeBack }: { mayRepeat: boolean; takeBack: () => Promise<void> },
): Promise<void> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await ingest()
    } catch (error) {
      if (!(error instanceof QuotaConflict) || !mayRepeat || runs === MOST_RUNS) throw error
      await takeBack()
    }
  }
}

/**
 * The embedder of the job's memory, and its file: that of the add, which pinned it, unless the job
 * failed since and another add has pinned another, or the memory was re-embedded. Rejects with
 * `embedding_model_pinned` where it is not configured, and with `memory_not_found`.
 */
async function claimEmbedder(
  deps: IngestDeps,
  { id, memory_id }: Job,
  rows: readonly Document[],
): Promise<{ embedder: Embedder; file: string }> {
  const wanted = rows[0]?.embedding_model ?? deps.embedders.default.model
  const pinned = await pinEmbeddingModel(deps.db, memory_id, wanted)
  if (pinned === null) throw new ApiError('memory_not_found')
  const { embeddingModel, file } = pinned
  const embedder = requireEmbedder(deps.embedders, embeddingModel)
  if (embeddingModel !== wanted) await setEmbeddingModel(deps.db, id, embeddingModel)
  return { embedder, file }
}

/**
 * A partial document that is taken up again may have as many pages recognised as before, and those
 * it has.
 */
async function allowFurtherPages(transaction: Transaction<Tables>, job: Job): Promise<void> {
  const payload = JSON.parse(job.payload) as IngestionPayload
  const rows = await listDocumentsOfJob(transaction, job.id)
  if (payload.file === null || !rows.some(({ status }) => status === 'partial')) return
  const { recognition } = payload.file
  const retries = (recognition.retries ?? 0) + 1
  const raised: IngestionPayload = { ...payload, file: { ...payload.file, recognition: { ...recognition, retries } } }
  await transaction
    .updateTable('jobs')
    .set({ payload: JSON.stringify(raised) })
    .where('id', '=', job.id)
    .execute()
}

/** The documents of the job that were not deleted. */
async function listThere(transaction: Transaction<Tables>, job: Job): Promise<string[]> {
  const there = await transaction.selectFrom('documents').select('id').where('job_id', '=', job.id).execute()
  return there.map(({ id }) => id)
}

function now(deps: IngestDeps): string {
  return deps.now().toISOString()
}

/**
 * Removes what earlier attempts wrote. The first one removes nothing: a worker that stood still at
 * it would remove, when it wakes up, what the one wrote that took the job from it. Rejects with
 * {@link LeaseLostError} where the job is another's by now.
 */
async function discardEarlier(deps: IngestDeps, work: JobWork, rows: readonly Document[]): Promise<void> {
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

/** Chunks of documents that do not show would stand in the way of those that do. */
async function discardChunks(deps: IngestDeps, work: JobWork, documentIds: readonly string[]): Promise<void> {
  const memoryId = work.job.memory_id
  try {
    await removeChunksOfJob(deps, work, documentIds)
  } catch (err) {
    // Another attempt has the job, or it ended; what was deleted has removals that wait for this
    // one.
    if (err instanceof LeaseLostError) return
    deps.log.warn({ err, memoryId }, 'left until the next attempt: chunks of a job that failed')
  }
}

/**
 * The file of a memory as a job takes it, which may work on it for hours: all goes to the one of
 * this name, and a write rejects with {@link MemoryReembedded} as soon as the memory has another.
 * The job's commit would refuse it all the same, but the file may be gone by then, and must not be
 * made again. `settled` resolves when no write is under way: a job that failed may have left one,
 * whose chunks would come behind their removal.
 */
function bindFile(
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
