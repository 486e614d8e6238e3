import type { Kysely } from 'kysely'
import type { Intent, Tables } from './schema.ts'

/** Intents of processes other than `owner`, and this one's from before `before`: the adds behind them are over. */
export function listStaleIntents(
  db: Kysely<Tables>,
  { owner, before, limit }: { owner: string; before: Date; limit: number },
): Promise<Intent[]> {
  return db
    .selectFrom('intents')
    .selectAll()
    .where((where) => where.or([where('owner', '!=', owner), where('created_at', '<', before.toISOString())]))
    .orderBy('created_at')
    .limit(limit)
    .execute()
}
