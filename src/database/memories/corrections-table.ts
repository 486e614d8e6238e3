/**
 * Passages last outranked by corrections. Only positions are stored, neither text nor queries, so
 * that a correction's row never contains text of a deleted document. Deleted passages are skipped
 * on reading.
 */
import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { runUnsynced } from '../statements.ts'

/** An outranked passage with its score and the scores of both retrievers. */
export type StoredOutranked = {
  documentId: string
  chunkIndex: number
  page: number | null
  startOffset: number
  endOffset: number
  score: number
  lexical: number | null
  semantic: number | null
}

/** Passages outranked at a time (ISO 8601), best first. */
export type Outranking = { at: string; passages: readonly StoredOutranked[] }

/**
 * Stores the outranked passages unless a later record exists; no effect if the correction was
 * deleted. Does not wait for the disk.
 */
export async function storeOutranking(
  db: Kysely<Tables>,
  correctionId: string,
  { at, passages }: Outranking,
): Promise<void> {
  await runUnsynced(db, (connection) =>
    connection
      .updateTable('documents')
      .set({ outranked: JSON.stringify(passages), outranked_at: at })
      .where('id', '=', correctionId)
      .where((where) => where.or([where('outranked_at', 'is', null), where('outranked_at', '<', at)]))
      .execute(),
  )
}

/** Lists up to `limit` corrections that expired before a time, oldest first. */
export function listExpiredCorrections(
  db: Kysely<Tables>,
  { before, limit }: { before: string; limit: number },
): Promise<{ id: string; memory_id: string }[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'memory_id'])
    .where('expires_at', 'is not', null)
    .where('expires_at', '<', before)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}
