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
import { carryDocuments, settleDifferences, type ToldFile, tellChanges } from './replay-changes.ts'

/**
 * Of a step, after which the job knows how far it has come: as many as the memory file takes in one
 * commit.
 */
const STEP = { documents: 500, chunks: 1024 } as const
/**
 * For so long other jobs that wait are left waiting. Ours: an add by a job takes longer as a rule.
 */
const TURN_MS = 5000

/** What re-embeddings are built of. */
type ReembeddingDeps = { db: Kysely<Tables>; memoryFile: MemoryFiles; embedders: Embedders; now: () => Date }

/**
 * The work of re-embedding jobs. All that shows is carried, in order of arrival, to a file beside
 * the memory's, which answers meanwhile; then what changed since; then the new file takes the old
 * one's place. The job's row says how far it has come, and an attempt goes on from there. A job
 * that fails or is cancelled leaves the old file as it was; the new one is removed, and a retry
 * begins with another.
 */
export function createReembeddingJob(deps: ReembeddingDeps): JobHandler {
  return {
    async run(work) {
      const payload = JSON.parse(work.job.payload) as ReembeddingPayload
      const started = performance.now()
      const next = await openNext(deps, work, { payload, startedMs: started })
      if (!(await carryAll(next, payload))) return
      failpoint('reembed:carried')
      await next.to.maintain(next.memoryId, work.signal)
      requireWorking(work)
      await settleDifferences(next)
      failpoint('reembed:told')
      await takePlace(next)
    },

    async failed(transaction, job) {
      const { file } = JSON.parse(job.payload) as ReembeddingPayload
      await removeShadowFile(transaction, job.memory_id, file)
      await enqueueDeletion(transaction, { kind: 'unfinished', memoryId: job.memory_id, file, now: deps.now() })
    },

    retried: beginAnew,
  }
}

async function openNext(
  { db, memoryFile, embedders, now }: ReembeddingDeps,
  work: JobWork,
  { payload: { embeddingModel, file }, startedMs }: { payload: ReembeddingPayload; startedMs: number },
): Promise<NextFile> {
  const memoryId = work.job.memory_id
  const memory = await getFilesOfMemory(db, memoryId)
  if (memory === null) throw new ApiError('memory_not_found')
  const embedder = requireConfigured(embedders, embeddingModel)
  // Where it has the memory's own name, its endpoint may serve another model by now than the one
  // that made what is remembered.
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

/** Carries what showed at the beginning; `false` where it gave its turn to other jobs first. */
async function carryAll(next: NextFile, payload: ReembeddingPayload): Promise<boolean> {
  const { db, memoryId, to, work, now } = next
  const begunMs = performance.now()
  let { carriedTo, chunks } = payload
  // What comes later is noted as a change; without an end this would run after adds for ever.
  const upTo = await getMaxSeq(db, memoryId)
  // What an attempt before this one wrote of its last step is written over.
  const areNew = chunks === 0 && (await to.count(memoryId)).size === 0
  for (;;) {
    requireWorking(work)
    const documents = cutStep(
      await listDocumentsToCopy(db, { memoryId, after: carriedTo, upTo, limit: STEP.documents }),
    )
    const last = documents.at(-1)
    if (last === undefined) return true
    const onEmbedded = await openReport(next, chunks)
    chunks += await carryDocuments(next, documents, { areNew, onEmbedded })
    failpoint('reembed:written')
    carriedTo = last.seq
    await savePayload(db, { jobId: work.job.id, leaseToken: work.leaseToken }, { ...payload, carriedTo, chunks })
    if (performance.now() - begunMs > TURN_MS && (await giveTurn(next, now()))) return false
  }
}

/**
 * Says how many chunks have their new vectors, of those that the memory has now, beginning with
 * those that have them already; called with each further number.
 */
async function openReport({ db, memoryId, work }: NextFile, already: number): Promise<(chunks: number) => void> {
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

/** Those before the one with which there are too many chunks; one at least. */
function cutStep(documents: readonly DocumentToCopy[]): readonly DocumentToCopy[] {
  let chunks = 0
  const cut = documents.findIndex((document, index) => {
    chunks += document.chunk_count
    return index > 0 && chunks > STEP.chunks
  })
  return cut < 0 ? documents : documents.slice(0, cut)
}

/** Puts the job behind those that wait for a worker; false where none does. */
async function giveTurn({ db, work: { job, leaseToken } }: NextFile, now: Date): Promise<boolean> {
  if (!(await hasDueJob(db, now))) return false
  const lease = { jobId: job.id, leaseToken }
  const message = 'waiting for its turn behind other jobs'
  return (await releaseJob(db, { lease, message, runAfter: now, attemptCounts: false })) === 'released'
}

/** With a file of another name: what is left of the one before is being removed. */
async function beginAnew(transaction: Transaction<Tables>, job: Job): Promise<void> {
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
 * Tries while adds go on. Ours: with few adds the first succeeds; with one every 50 ms each finds
 * another change.
 */
const OPEN_TRIES = 3
/**
 * How long adds wait at most before they may show. Ours: some tenths of a second are needed, and it
 * is what an add takes with a slow model.
 */
const CLOSED_MS = 3000
/** For so long they do not wait again. */
const REST_MS = 10_000

/** A file that is to take the place of its memory's, and the job that ends with it. */
type NextFile = ToldFile & {
  now: () => Date
  /** What the caller is told, the memory having so many chunks. */
  toEnd: (chunks: number) => { message: string; result: JobResult }
}

/**
 * Puts the new file in the place of the old one at a moment in which it knows of every change, in
 * the transaction that ends the job. Where adds come so quickly that there is no such moment, what
 * they added waits for some tenths of a second before it shows.
 */
async function takePlace(next: NextFile): Promise<void> {
  const isDone = async () => {
    await tellChanges(next)
    return tryTake(next)
  }
  for (;;) {
    for (let tries = 0; tries < OPEN_TRIES; tries += 1) if (await isDone()) return failpoint('reembed:switched')
    await close(next, CLOSED_MS)
    if (await isDone()) return failpoint('reembed:switched')
    await close(next, null)
    await pause(REST_MS, undefined, { signal: next.work.signal }).catch(next.requireGoing)
  }
}

async function close({ db, memoryId, file, now }: NextFile, forMs: number | null): Promise<void> {
  const until = forMs === null ? null : new Date(now().getTime() + forMs).toISOString()
  await blockPublications(db, { memoryId, file, until })
}

/** False, with nothing changed, where the file does not know all yet. */
function tryTake({ db, memoryId, file, embedder, work, now, toEnd }: NextFile): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const memory = await lockMemory(transaction, memoryId)
    if (memory === null) throw new ApiError('memory_not_found')
    if (!(await hasNoChanges(transaction, file))) return false
    const at = now()
    await switchToShadowFile(transaction, { memoryId, file, embeddingModel: embedder.model, at: at.toISOString() })
    await enqueueDeletion(transaction, { kind: 'file', memoryId, file: currentFileOf(memory), now: at })
    // With those that came meanwhile, or were told by an attempt before this one.
    const chunks = await countChunks(transaction, memoryId)
    const { id: jobId } = work.job
    const ended = { status: 'completed', error: null, errorCode: null } as const
    await finalizeJob(transaction, { jobId, leaseToken: work.leaseToken, ...ended, ...toEnd(chunks), now: at })
    failpoint('reembed:about-to-switch')
    return true
  })
}
