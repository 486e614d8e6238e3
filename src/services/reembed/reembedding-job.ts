import type { Kysely, Transaction } from 'kysely'
import { insertRemoval } from '../../database/deletion/removals.ts'
import { type CarriedDocument, getLastArrival, listCarried } from '../../database/documents/carried-documents.ts'
import { hasDueJob } from '../../database/jobs/claim-jobs.ts'
import { releaseJob } from '../../database/jobs/job-leases.ts'
import { savePayload } from '../../database/jobs/jobs.ts'
import { countChunks, fileOf, getFiles } from '../../database/memories/memories.ts'
import { beginFile, giveUpFile } from '../../database/memories/next-file.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { newFileName } from '../../memory-file/file-name.ts'
import type { Embedders } from '../../models/embedders.ts'
import { reachStep } from '../../observability/failpoints.ts'
import { pluralize } from '../../text/pluralize.ts'
import { requireWorking } from '../ingest/job/require-working.ts'
import type { JobHandler, JobWork } from '../jobs/job-handler.ts'
import type { MemoryFiles } from '../memory-files.ts'
import { carryDocuments } from './carry-documents.ts'
import type { ReembeddingPayload } from './reembedding-payload.ts'
import { requireConfigured } from './require-configured.ts'
import { requireNoReembedding } from './require-no-reembedding.ts'
import { type NextFile, takePlace } from './take-place.ts'
import { settleDifferences } from './tell-changes.ts'

/** Of a step, after which the job knows how far it has come: as many as the memory file takes in one commit. */
const STEP = { documents: 500, chunks: 1024 } as const
/** For so long other jobs that wait are left waiting. Ours: an add by a job takes longer as a rule. */
const TURN_MS = 5000

/** What re-embeddings are built of. */
export type ReembeddingParts = { db: Kysely<Tables>; memoryFile: MemoryFiles; embedders: Embedders; now: () => Date }

/**
 * The work of re-embedding jobs. All that shows is carried, in order of arrival, to a file beside the memory's, which answers meanwhile; then what changed
 * since; then the new file takes the old one's place. The job's row says how far it has come, and an attempt goes on from there. A job that fails or is
 * cancelled leaves the old file as it was; the new one is removed, and a retry begins with another.
 */
export function createReembeddingJob(parts: ReembeddingParts): JobHandler {
  return {
    async run(work) {
      const payload = JSON.parse(work.job.payload) as ReembeddingPayload
      const started = performance.now()
      const next = await openNext(parts, work, payload, started)
      if (!(await carryAll(next, payload))) return
      reachStep('reembed:carried')
      await next.to.maintain(next.memoryId, work.signal)
      requireWorking(work)
      await settleDifferences(next)
      reachStep('reembed:told')
      await takePlace(next)
    },

    async failed(transaction, job) {
      const { file } = JSON.parse(job.payload) as ReembeddingPayload
      await giveUpFile(transaction, job.memory_id, file)
      await insertRemoval(transaction, { kind: 'unfinished', memoryId: job.memory_id, file, now: parts.now() })
    },

    retried: beginAnew,
  }
}

async function openNext(
  { db, memoryFile, embedders, now }: ReembeddingParts,
  work: JobWork,
  { embeddingModel, file }: ReembeddingPayload,
  startedMs: number,
): Promise<NextFile> {
  const memoryId = work.job.memory_id
  const memory = await getFiles(db, memoryId)
  if (memory === null) throw new ApiError('memory_not_found')
  const embedder = requireConfigured(embedders, embeddingModel)
  // Where it has the memory's own name, its endpoint may serve another model by now than the one that made what is remembered.
  embedder.forget?.()
  return {
    db,
    memoryId,
    file,
    from: memoryFile.named(fileOf(memory)),
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
  const upTo = await getLastArrival(db, memoryId)
  // What an attempt before this one wrote of its last step is written over.
  const areNew = chunks === 0 && (await to.count(memoryId)).size === 0
  for (;;) {
    requireWorking(work)
    const documents = cutStep(await listCarried(db, { memoryId, after: carriedTo, upTo, limit: STEP.documents }))
    const last = documents.at(-1)
    if (last === undefined) return true
    const onEmbedded = await openReport(next, chunks)
    chunks += await carryDocuments(next, documents, { areNew, onEmbedded })
    reachStep('reembed:written')
    carriedTo = last.seq
    await savePayload(db, { jobId: work.job.id, leaseToken: work.leaseToken }, { ...payload, carriedTo, chunks })
    if (performance.now() - begunMs > TURN_MS && (await giveTurn(next, now()))) return false
  }
}

/** Says how many chunks have their new vectors, of those that the memory has now, beginning with those that have them already; called with each further number. */
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
function cutStep(documents: readonly CarriedDocument[]): readonly CarriedDocument[] {
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
  await beginFile(transaction, job.memory_id, file)
  const payload: ReembeddingPayload = { embeddingModel, file, carriedTo: 0, chunks: 0 }
  await transaction
    .updateTable('jobs')
    .set({ payload: JSON.stringify(payload) })
    .where('id', '=', job.id)
    .execute()
}
