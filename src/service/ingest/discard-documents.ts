import { closeIntents } from '../../store/ingest.ts'
import { listStaleIntents } from '../../store/intents.ts'
import { releaseEmbeddingModel } from '../../store/memories.ts'
import type { IngestParts } from './ingest-parts.ts'

/** Documents cleared together by the sweep, which goes on until none are left. */
const DOCUMENTS_A_SWEEP = 500

/** Removes whatever was written of documents that will not show, then their intents, and the pin of a memory that has nothing else. Rejects when a store is down. */
async function discardDocuments(parts: IngestParts, memoryId: string, documentIds: readonly string[]): Promise<void> {
  // The objects first: on a full disk they make the room that the memory file needs to forget its rows.
  for (const id of documentIds) await parts.blobs.removeAll(`memories/${memoryId}/documents/${id}/`)
  await parts.memoryFile.remove(memoryId, documentIds)
  await closeIntents(parts.db, documentIds)
  await releaseEmbeddingModel(parts.db, memoryId)
}

/** {@link discardDocuments} for an add that failed: what cannot be removed now (`false`) stays named by its intents for the sweep. */
export async function discardAfterFailure(
  parts: IngestParts,
  memoryId: string,
  documentIds: readonly string[],
): Promise<boolean> {
  try {
    await discardDocuments(parts, memoryId, documentIds)
    return true
  } catch (cause) {
    parts.log.warn({ err: cause, memoryId, documents: documentIds.length }, 'left for the sweep: documents not added')
    return false
  }
}

/** Clears what adds of other processes (before a crash) and failed clean-ups left. Returns the documents cleared. */
export async function sweepIntents(parts: IngestParts, before: Date): Promise<number> {
  let cleared = 0
  for (;;) {
    const stale = await listStaleIntents(parts.db, { owner: parts.owner, before, limit: DOCUMENTS_A_SWEEP })
    let failed = 0
    for (const [memoryId, intents] of Map.groupBy(stale, (intent) => intent.memory_id)) {
      const documentIds = intents.map((intent) => intent.document_id)
      if (!(await discardAfterFailure(parts, memoryId, documentIds))) failed += documentIds.length
    }
    cleared += stale.length - failed
    // What could not be cleared would be listed again at once.
    if (failed > 0 || stale.length < DOCUMENTS_A_SWEEP) return cleared
  }
}
