import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'

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
