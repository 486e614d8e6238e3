import {
  type AbandonedCriteria,
  deleteIntents,
  reclaimAbandonedIntents,
  reclaimIntents,
} from '../../../database/deletion/intents-table.ts'
import { enqueueDeletion } from '../../../database/deletion/removals-table.ts'
import { deleteTags } from '../../../database/memories/document-tags-table.ts'
import { unpinEmbeddingModel } from '../../../database/memories/memories-table.ts'
import { ApiError } from '../../../errors.ts'
import { removeForgotten } from '../../deletion/sweep-orphans.ts'
import { documentFolder } from '../../document-objects.ts'
import type { IngestDeps } from '../ingest-deps.ts'

/** What is needed to remove what adds that failed have written. */
export type DiscardDeps = Pick<
  IngestDeps,
  'db' | 'blobs' | 'memoryFile' | 'removals' | 'log' | 'now' | 'owner' | 'uncleared'
>

/** Documents cleared together by the sweep, which goes on until none are left. */
const DOCUMENTS_A_SWEEP = 500
/**
 * Documents that are tried again each minute; what is beyond, after a long outage, the sweep clears
 * when their adds are old.
 */
const MAX_UNCLEARED = 10_000

/**
 * Removes whatever was written of documents whose intents were taken, then these, and the pin of a
 * memory that has nothing else. Rejects when a store is down.
 */
async function discardDocuments(deps: DiscardDeps, memoryId: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.includes(memoryId)) return discardMemory(deps, memoryId)
  // The objects first: on a full disk they make the room that the memory file needs to forget its
  // rows.
  await deps.blobs.purge(...documentIds.map((id) => documentFolder(memoryId, id)))
  await deleteTags(deps.db, documentIds)
  await deps.memoryFile.deleteDocuments(memoryId, documentIds)
  await deleteIntents(deps.db, documentIds)
  await unpinEmbeddingModel(deps.db, memoryId)
}

/**
 * Removes whatever was written of a memory that was to come out of an archive: its intent bears its
 * own identifier.
 */
async function discardMemory({ db, removals, now }: DiscardDeps, memoryId: string): Promise<void> {
  const removalId = await db.transaction().execute(async (transaction) => {
    await deleteIntents(transaction, [memoryId])
    return enqueueDeletion(transaction, { kind: 'memory', memoryId, now: now() })
  })
  await removals.carryOut([removalId])
}

/**
 * {@link discardDocuments} for an add of this process that failed: what cannot be removed now stays
 * named by its intents, and is tried again.
 */
export async function discardAfterFailure(
  deps: DiscardDeps,
  memoryId: string,
  documentIds: readonly string[],
): Promise<void> {
  const isDone = await discardOrLeave(deps, {
    memoryId,
    documentIds,
    discard: async () => {
      // Those without are committed after all: the answer to the commit was lost.
      const taken = await reclaimIntents(deps.db, { documentIds, owner: deps.owner })
      if (taken.length > 0) await discardDocuments(deps, memoryId, taken)
      // Others were cleared while this process stood still, and it wrote on when it woke up. A
      // whole memory that was not imported is named by a removal that is carried out again and
      // again for minutes.
      const others = documentIds.filter((id) => !taken.includes(id) && id !== memoryId)
      if (others.length > 0) await removeForgotten(deps, memoryId, others)
    },
  })
  if (isDone || deps.uncleared.size >= MAX_UNCLEARED) return
  for (const id of documentIds) deps.uncleared.set(id, memoryId)
}

/**
 * Tries again to clear what failed adds of this process left; to be called now and then, by every
 * process.
 */
export async function retryDiscards(deps: DiscardDeps): Promise<void> {
  const uncleared = [...deps.uncleared]
  deps.uncleared.clear()
  for (const [memoryId, documents] of Map.groupBy(uncleared, ([, memoryId]) => memoryId)) {
    await discardAfterFailure(
      deps,
      memoryId,
      documents.map(([id]) => id),
    )
  }
}

/**
 * {@link discardAfterFailure} for a caller who is told of `error` next. Where a store does not
 * answer he would wait as long again for that: then it goes on behind his back.
 */
export async function discardBeforeAnswer(
  deps: DiscardDeps,
  { memoryId, documentIds, error }: { memoryId: string; documentIds: readonly string[]; error: unknown },
): Promise<void> {
  const discarded = discardAfterFailure(deps, memoryId, documentIds)
  if (!(error instanceof ApiError && error.code === 'service_unavailable')) await discarded
}

/**
 * Clears what adds that are over left: of processes that are gone, and of failed clean-ups. Returns
 * the documents cleared.
 */
export async function sweepIntents(deps: DiscardDeps, which: Omit<AbandonedCriteria, 'limit'>): Promise<number> {
  let cleared = 0
  for (;;) {
    const stale = await reclaimAbandonedIntents(deps.db, { ...which, limit: DOCUMENTS_A_SWEEP })
    let failed = 0
    for (const [memoryId, intents] of Map.groupBy(stale, (intent) => intent.memory_id)) {
      const documentIds = intents.map((intent) => intent.document_id)
      const discard = () => discardDocuments(deps, memoryId, documentIds)
      if (!(await discardOrLeave(deps, { memoryId, documentIds, discard }))) failed += documentIds.length
    }
    cleared += stale.length - failed
    // What could not be cleared would be listed again at once.
    if (failed > 0 || stale.length < DOCUMENTS_A_SWEEP) return cleared
  }
}

async function discardOrLeave(
  { log }: DiscardDeps,
  {
    memoryId,
    documentIds,
    discard,
  }: { memoryId: string; documentIds: readonly string[]; discard: () => Promise<void> },
): Promise<boolean> {
  try {
    await discard()
    return true
  } catch (cause) {
    log.warn({ err: cause, memoryId, documents: documentIds.length }, 'left for the sweep: documents not added')
    return false
  }
}
