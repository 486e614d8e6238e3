import { closeIntents } from '../../store/ingest.ts'
import { listStaleIntents } from '../../store/intents.ts'
import type { IngestParts } from './ingest-parts.ts'

/** Documents cleared together by the sweep. */
const DOCUMENTS_A_SWEEP = 500

/** Removes whatever was written of documents that will not show, then their intents. Rejects when a store is down. */
export async function discardDocuments(
  parts: IngestParts,
  memoryId: string,
  documentIds: readonly string[],
): Promise<void> {
  // The objects first: on a full disk they make the room that the memory file needs to forget its rows.
  for (const id of documentIds) await parts.blobs.removeAll(`memories/${memoryId}/documents/${id}/`)
  await parts.memoryFile.remove(memoryId, documentIds)
  await closeIntents(parts.db, documentIds)
}

/** {@link discardDocuments} for an add that failed: what cannot be removed now stays named by its intents for the sweep. */
export async function discardAfterFailure(
  parts: IngestParts,
  memoryId: string,
  documentIds: readonly string[],
): Promise<void> {
  try {
    await discardDocuments(parts, memoryId, documentIds)
  } catch (cause) {
    parts.log.warn({ err: cause, memoryId, documents: documentIds.length }, 'left for the sweep: documents not added')
  }
}

/** Clears what adds of other processes (before a crash) and failed clean-ups left. Returns the documents cleared. */
export async function sweepIntents(parts: IngestParts, before: Date): Promise<number> {
  const stale = await listStaleIntents(parts.db, { owner: parts.owner, before, limit: DOCUMENTS_A_SWEEP })
  const memories = Map.groupBy(stale, (intent) => intent.memory_id)
  for (const [memoryId, intents] of memories) {
    await discardAfterFailure(
      parts,
      memoryId,
      intents.map((intent) => intent.document_id),
    )
  }
  return stale.length
}
