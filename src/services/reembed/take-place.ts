import { setTimeout as pause } from 'node:timers/promises'
import type { JobResult } from '../../api/job.ts'
import { insertRemoval } from '../../database/deletion/removals.ts'
import { finishJob } from '../../database/jobs/jobs.ts'
import { countChunks, fileOf, lockMemory } from '../../database/memories/memories.ts'
import { closeMemory, takeFile } from '../../database/memories/next-file.ts'
import { hasNoChanges } from '../../database/memories/reembedding-changes.ts'
import { ApiError } from '../../errors.ts'
import { reachStep } from '../../observability/failpoints.ts'
import { type ToldFile, tellChanges } from './tell-changes.ts'

/** Tries while adds go on. Ours: with few adds the first succeeds; with one every 50 ms each finds another change. */
const OPEN_TRIES = 3
/** How long adds wait at most before they may show. Ours: some tenths of a second are needed, and it is what an add takes with a slow model. */
const CLOSED_MS = 3000
/** For so long they do not wait again. */
const REST_MS = 10_000

/** A file that is to take the place of its memory's, and the job that ends with it. */
export type NextFile = ToldFile & {
  now: () => Date
  /** What the caller is told, the memory having so many chunks. */
  toEnd: (chunks: number) => { message: string; result: JobResult }
}

/**
 * Puts the new file in the place of the old one at a moment in which it knows of every change, in the transaction that ends the job. Where adds come so
 * quickly that there is no such moment, what they added waits for some tenths of a second before it shows.
 */
export async function takePlace(next: NextFile): Promise<void> {
  const isDone = async () => {
    await tellChanges(next)
    return tryTake(next)
  }
  for (;;) {
    for (let tries = 0; tries < OPEN_TRIES; tries += 1) if (await isDone()) return reachStep('reembed:switched')
    await close(next, CLOSED_MS)
    if (await isDone()) return reachStep('reembed:switched')
    await close(next, null)
    await pause(REST_MS, undefined, { signal: next.work.signal }).catch(next.requireGoing)
  }
}

async function close({ db, memoryId, file, now }: NextFile, forMs: number | null): Promise<void> {
  const until = forMs === null ? null : new Date(now().getTime() + forMs).toISOString()
  await closeMemory(db, { memoryId, file, until })
}

/** False, with nothing changed, where the file does not know all yet. */
function tryTake({ db, memoryId, file, embedder, work, now, toEnd }: NextFile): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const memory = await lockMemory(transaction, memoryId)
    if (memory === null) throw new ApiError('memory_not_found')
    if (!(await hasNoChanges(transaction, file))) return false
    const at = now()
    await takeFile(transaction, { memoryId, file, embeddingModel: embedder.model, at: at.toISOString() })
    await insertRemoval(transaction, { kind: 'file', memoryId, file: fileOf(memory), now: at })
    // With those that came meanwhile, or were told by an attempt before this one.
    const chunks = await countChunks(transaction, memoryId)
    const { id: jobId } = work.job
    const ended = { status: 'completed', error: null, errorCode: null } as const
    await finishJob(transaction, { jobId, leaseToken: work.leaseToken, ...ended, ...toEnd(chunks), now: at })
    reachStep('reembed:about-to-switch')
    return true
  })
}
