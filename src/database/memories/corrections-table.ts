/**
 * What a correction last stood before. Places are stored, no word of what stands there and none of what was asked, so that nothing of a deleted document is
 * left in a correction's row; what is deleted is left out when it is read.
 */
import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { runUnsynced } from '../statements.ts'

/** A passage that stood behind a correction, with its score and that of each leg there. */
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

/** What a correction stood before at a moment (ISO 8601), the best first. */
export type Outranking = { at: string; passages: readonly StoredOutranked[] }

/** Writes it down, unless a later moment stands there; nothing where the correction is gone. Does not wait for the disk. */
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

/** At most `limit` corrections that expired before a moment, the oldest first, each with its memory. */
export function listExpired(
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
