import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { JobResult } from '../../api/job.ts'
import { enqueueDeletion } from '../../database/deletion/removals-table.ts'
import { hasDueJob } from '../../database/jobs/claim-jobs.ts'
import { releaseJob } from '../../database/jobs/job-leases-table.ts'
import { finalizeJob, savePayload } from '../../database/jobs/jobs-table.ts'
import { countChunks, currentFileOf, getFilesOfMemory, lockMemory } from '../../database/memories/memories-table.ts'
import {
  blockPublications,
  type DocumentToCopy,
  getMaxSeq,
  hasNoChanges,
  listDocumentsToCopy,
  removeShadowFile,
  setShadowFile,
  switchToShadowFile,
} from '../../database/memories/reembedding-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { newFileName } from '../../memory-file/file-name.ts'
import type { Embedders } from '../../models/embedders.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { pluralize } from '../../text/pluralize.ts'
import { type JobHandler, type JobWork, requireWorking } from '../jobs/job-handler.ts'
import type { MemoryFiles } from '../memory-files.ts'
import { type ReembeddingPayload, requireConfigured, requireNoReembedding } from './reembed-service.ts'
import { copyDocuments, reconcileFiles, replayChanges, type ShadowFile } from './replay-changes.ts'

/**
 * Limits of a batch, after which the progress is saved: the chunks of one commit of the memory
 * file.
 */
const BATCH_LIMITS = { documents: 500, chunks: 1024 } as const
/**
 * Maximum time that other waiting jobs are blocked. Our choice: an ingestion job usually takes
 * longer.
 */
const MAX_TURN_MS = 5000

type ReembeddingDeps = { db: Kysely<Tables>; memoryFile: MemoryFiles; embedders: Embedders; now: () => Date }

/**
 * Handler of re-embedding jobs. Copies all live documents in order of arrival to a shadow file,
 * while the old file serves searches; then replays changes; then cuts over.
 *
 * The job's row records the progress, and the next attempt resumes there. A failed or cancelled job
 * leaves the old file unchanged and deletes the shadow file; a retry starts with a new file.
 */
export function createReembeddingJob(deps: ReembeddingDeps): JobHandler {
  return {
    async run(work) {
      const payload = JSON.parse(work.job.payload) as ReembeddingPayload
      const started = performance.now()
      const next = await openReembedding(deps, work, { payload, startedMs: started })
      if (!(await copyAll(next, payload))) return
      failpoint('reembed:carried')
      await next.to.maintain(next.memoryId, work.signal)
      requireWorking(work)
      await reconcileFiles(next)
      failpoint('reembed:told')
      await cutOver(next)
    },

    async onFailed(transaction, job) {
      const { file } = JSON.parse(job.payload) as ReembeddingPayload
      await removeShadowFile(transaction, job.memory_id, file)
      await enqueueDeletion(transaction, { kind: 'unfinished', memoryId: job.memory_id, file, now: deps.now() })
    },

    onRetried: restartWithNewFile,
  }
}

async function openReembedding(
  { db, memoryFile, embedders, now }: ReembeddingDeps,
  work: JobWork,
  { payload: { embeddingModel, file }, startedMs }: { payload: ReembeddingPayload; startedMs: number },
): Promise<ReembeddingRun> {
  const memoryId = work.job.memory_id
  const memory = await getFilesOfMemory(db, memoryId)
  if (memory === null) throw new ApiError('memory_not_found')
  const embedder = requireConfigured(embedders, embeddingModel)
  // The endpoint may serve another model under the same name, so cached vectors are discarded.
  embedder.forget?.()
  return {
    db,
    memoryId,
    file,
    from: memoryFile.named(currentFileOf(memory)),
    to: memoryFile.named(file),
    embedder,
    requireGoing: () => requireWorking(work),
    work,
    now,
    toEnd: (chunks) => ({
      message: `Re-embedded ${pluralize(chunks, 'chunk')} with ${embeddingModel}.`,
      result: {
        documentsAdded: 0,
        documentsSkipped: 0,
        chunksCreated: chunks,
        documentIds: [],
        totalBytes: 0,
        processingMs: Math.round(performance.now() - startedMs),
        warnings: [],
      },
    }),
  }
}

/** Copies the documents live at the start; returns `false` after yielding to other jobs. */
async function copyAll(next: ReembeddingRun, payload: ReembeddingPayload): Promise<boolean> {
  const { db, memoryId, to, work, now } = next
  const begunMs = performance.now()
  let { carriedTo, chunks } = payload
  // Later documents are replayed as changes; without this bound, the copy would chase new documents
  // forever.
  const upTo = await getMaxSeq(db, memoryId)
  // The next attempt overwrites the last batch of an interrupted attempt.
  const areNew = chunks === 0 && (await to.count(memoryId)).size === 0
  for (;;) {
    requireWorking(work)
    const documents = takeBatch(
      await listDocumentsToCopy(db, { memoryId, after: carriedTo, upTo, limit: BATCH_LIMITS.documents }),
    )
    const last = documents.at(-1)
    if (last === undefined) return true
    const onEmbedded = await createProgressReport(next, chunks)
    chunks += await copyDocuments(next, documents, { areNew, onEmbedded })
    failpoint('reembed:written')
    carriedTo = last.seq
    await savePayload(db, { jobId: work.job.id, leaseToken: work.leaseToken }, { ...payload, carriedTo, chunks })
    if (performance.now() - begunMs > MAX_TURN_MS && (await yieldToWaitingJobs(next, now()))) return false
  }
}

/**
 * Reports the progress in chunks, starting with the chunks already copied; call the result with
 * further numbers of chunks.
 */
async function createProgressReport(
  { db, memoryId, work }: ReembeddingRun,
  already: number,
): Promise<(chunks: number) => void> {
  const known = await countChunks(db, memoryId)
  let done = already
  const add = (chunks: number) => {
    done += chunks
    const total = Math.max(1, done, known)
    work.report(Math.floor((99 * done) / total), `re-embedded ${done} of ${pluralize(total, 'chunk')}`)
  }
  add(0)
  return add
}

/** Documents up to the chunk limit, at least one. */
function takeBatch(documents: readonly DocumentToCopy[]): readonly DocumentToCopy[] {
  let chunks = 0
  const cut = documents.findIndex((document, index) => {
    chunks += document.chunk_count
    return index > 0 && chunks > BATCH_LIMITS.chunks
  })
  return cut < 0 ? documents : documents.slice(0, cut)
}

/** Requeues the job behind waiting jobs; returns `false` when none waits. */
async function yieldToWaitingJobs({ db, work: { job, leaseToken } }: ReembeddingRun, now: Date): Promise<boolean> {
  if (!(await hasDueJob(db, now))) return false
  const lease = { jobId: job.id, leaseToken }
  const message = 'waiting for its turn behind other jobs'
  return (await releaseJob(db, { lease, message, runAfter: now, attemptCounts: false })) === 'released'
}

/** The old shadow file is being deleted, so the retry uses a new name. */
async function restartWithNewFile(transaction: Transaction<Tables>, job: Job): Promise<void> {
  await requireNoReembedding(transaction, job.memory_id)
  const { embeddingModel } = JSON.parse(job.payload) as ReembeddingPayload
  const file = newFileName(job.memory_id)
  await setShadowFile(transaction, job.memory_id, file)
  const payload: ReembeddingPayload = { embeddingModel, file, carriedTo: 0, chunks: 0 }
  await transaction
    .updateTable('jobs')
    .set({ payload: JSON.stringify(payload) })
    .where('id', '=', job.id)
    .execute()
}

/**
 * Cut-over attempts without closing the memory. Our choice: the first succeeds with few adds; with
 * an add every 50 ms, each attempt finds a new change.
 */
const OPEN_CUTOVER_ATTEMPTS = 3
/**
 * Maximum time that adds wait for publishing. Our choice: some tenths of a second are needed, and
 * an add with a slow model takes as long.
 */
const MAX_CLOSED_MS = 3000
/** Pause before the memory is closed again. */
const REOPEN_PAUSE_MS = 10_000

/** A shadow file and the job that cuts over to the file. */
type ReembeddingRun = ShadowFile & {
  now: () => Date
  /** Final message and result for this number of chunks. */
  toEnd: (chunks: number) => { message: string; result: JobResult }
}

/**
 * Replaces the old file, in the transaction that ends the job, at a moment when all changes are
 * replayed. With too frequent adds there is no such moment, so the memory is closed: publishing
 * waits for some tenths of a second.
 */
async function cutOver(next: ReembeddingRun): Promise<void> {
  const isDone = async () => {
    await replayChanges(next)
    return tryCutOver(next)
  }
  for (;;) {
    for (let tries = 0; tries < OPEN_CUTOVER_ATTEMPTS; tries += 1)
      if (await isDone()) return failpoint('reembed:switched')
    await setClosed(next, MAX_CLOSED_MS)
    if (await isDone()) return failpoint('reembed:switched')
    await setClosed(next, null)
    await pause(REOPEN_PAUSE_MS, undefined, { signal: next.work.signal }).catch(next.requireGoing)
  }
}

async function setClosed({ db, memoryId, file, now }: ReembeddingRun, forMs: number | null): Promise<void> {
  const until = forMs === null ? null : new Date(now().getTime() + forMs).toISOString()
  await blockPublications(db, { memoryId, file, until })
}

/** Returns `false`, without changes, while changes are still to be replayed. */
function tryCutOver({ db, memoryId, file, embedder, work, now, toEnd }: ReembeddingRun): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const memory = await lockMemory(transaction, memoryId)
    if (memory === null) throw new ApiError('memory_not_found')
    if (!(await hasNoChanges(transaction, file))) return false
    const at = now()
    await switchToShadowFile(transaction, { memoryId, file, embeddingModel: embedder.model, at: at.toISOString() })
    await enqueueDeletion(transaction, { kind: 'file', memoryId, file: currentFileOf(memory), now: at })
    // Includes chunks replayed by earlier attempts.
    const chunks = await countChunks(transaction, memoryId)
    const { id: jobId } = work.job
    const ended = { status: 'completed', error: null, errorCode: null } as const
    await finalizeJob(transaction, { jobId, leaseToken: work.leaseToken, ...ended, ...toEnd(chunks), now: at })
    failpoint('reembed:about-to-switch')
    return true
  })
}
