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
import { removeOrphans } from '../../deletion/sweep-orphans.ts'
import { documentFolder } from '../../document-objects.ts'
import type { IngestDeps } from '../ingest-deps.ts'

/** Dependencies for deleting data of failed adds. */
export type DiscardDeps = Pick<
  IngestDeps,
  'db' | 'blobs' | 'memoryFile' | 'removals' | 'log' | 'now' | 'owner' | 'pendingDiscards'
>

/** Documents per batch of the sweep, which repeats until none are left. */
const DOCUMENTS_PER_SWEEP = 500
/**
 * Maximum documents retried each minute; after a long outage, the sweep discards the rest once
 * their intents are stale.
 */
const MAX_PENDING_DISCARDS = 10_000

/**
 * Deletes all data of documents whose intents were taken, then the intents, and the model pin of an
 * otherwise empty memory. Rejects when a store is unavailable.
 */
async function discardDocuments(deps: DiscardDeps, memoryId: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.includes(memoryId)) return discardMemory(deps, memoryId)
  // Objects go first: on a full disk, this frees the space that the memory file needs for deleting
  // rows.
  await deps.blobs.purge(...documentIds.map((id) => documentFolder(memoryId, id)))
  await deleteTags(deps.db, documentIds)
  await deps.memoryFile.deleteDocuments(memoryId, documentIds)
  await deleteIntents(deps.db, documentIds)
  await unpinEmbeddingModel(deps.db, memoryId)
}

/** Deletes all data of an unfinished import, whose intent has the memory's id. */
async function discardMemory({ db, removals, now }: DiscardDeps, memoryId: string): Promise<void> {
  const removalId = await db.transaction().execute(async (transaction) => {
    await deleteIntents(transaction, [memoryId])
    return enqueueDeletion(transaction, { kind: 'memory', memoryId, now: now() })
  })
  await removals.process([removalId])
}

/**
 * {@link discardDocuments} for a failed add of this process. On failure, the intents stay, and the
 * discard is retried.
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
      // Documents without an intent were committed: only the response of the commit was lost.
      const taken = await reclaimIntents(deps.db, { documentIds, owner: deps.owner })
      if (taken.length > 0) await discardDocuments(deps, memoryId, taken)
      // Other intents were taken while this process was paused, and the process wrote again after
      // waking up. An unfinished import has a removal that is repeated for minutes.
      const others = documentIds.filter((id) => !taken.includes(id) && id !== memoryId)
      if (others.length > 0) await removeOrphans(deps, memoryId, others)
    },
  })
  if (isDone || deps.pendingDiscards.size >= MAX_PENDING_DISCARDS) return
  for (const id of documentIds) deps.pendingDiscards.set(id, memoryId)
}

/** Retries discards of this process; call periodically, in every process. */
export async function retryDiscards(deps: DiscardDeps): Promise<void> {
  const pendingDiscards = [...deps.pendingDiscards]
  deps.pendingDiscards.clear()
  for (const [memoryId, documents] of Map.groupBy(pendingDiscards, ([, memoryId]) => memoryId)) {
    await discardAfterFailure(
      deps,
      memoryId,
      documents.map(([id]) => id),
    )
  }
}

/**
 * {@link discardAfterFailure} before the caller gets `error`. When a store is unavailable, the
 * discard continues after the response: the caller would wait for the same timeout again.
 */
export async function discardBeforeAnswer(
  deps: DiscardDeps,
  { memoryId, documentIds, error }: { memoryId: string; documentIds: readonly string[]; error: unknown },
): Promise<void> {
  const discarded = discardAfterFailure(deps, memoryId, documentIds)
  if (!(error instanceof ApiError && error.code === 'service_unavailable')) await discarded
}

/** Discards data of dead processes and of failed discards. Returns the number of documents. */
export async function sweepIntents(deps: DiscardDeps, which: Omit<AbandonedCriteria, 'limit'>): Promise<number> {
  let cleared = 0
  for (;;) {
    const stale = await reclaimAbandonedIntents(deps.db, { ...which, limit: DOCUMENTS_PER_SWEEP })
    let failed = 0
    for (const [memoryId, intents] of Map.groupBy(stale, (intent) => intent.memory_id)) {
      const documentIds = intents.map((intent) => intent.document_id)
      const discard = () => discardDocuments(deps, memoryId, documentIds)
      if (!(await discardOrLeave(deps, { memoryId, documentIds, discard }))) failed += documentIds.length
    }
    cleared += stale.length - failed
    // Failed documents would be listed again immediately.
    if (failed > 0 || stale.length < DOCUMENTS_PER_SWEEP) return cleared
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
    log.warn({ err: cause, memoryId, documents: documentIds.length }, 'cleanup deferred: data of a failed add remains')
    return false
  }
}
