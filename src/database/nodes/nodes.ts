/**
 * The processes on a database. What a process has begun (intents, running claims of an Idempotency-Key) bears its name;
 * once it is gone, others clear that away. A process is gone when it has said nothing since `seenSince`; where there is
 * only ever one (`''`), when it has no row.
 */
import { expressionBuilder, type Kysely } from 'kysely'
import type { Tables } from '../schema.ts'

/** Notes that the process lives. */
export async function noteNode(db: Kysely<Tables>, { id, now }: { id: string; now: Date }): Promise<void> {
  const seen_at = now.toISOString()
  await db
    .insertInto('nodes')
    .values({ id, seen_at })
    .onConflict((known) => known.column('id').doUpdateSet({ seen_at }))
    .execute()
}

/** Says of every process but this one that it is gone. */
export async function forgetOtherNodes(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '<>', id).execute()
}

/** Says of a process that it is gone. */
export async function forgetNode(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute()
}

/** Removes the rows of processes that are gone. */
export async function purgeNodes(db: Kysely<Tables>, seenSince: string): Promise<void> {
  await db.deleteFrom('nodes').where('seen_at', '<', seenSince).execute()
}

/**
 * The names of those that live, as part of a statement. In the same statement as the rows that bear such names, since a
 * process that came between two statements would be taken for one that is gone.
 */
export function liveNodes(seenSince: string) {
  return expressionBuilder<Tables>().selectFrom('nodes').select('id').where('seen_at', '>=', seenSince)
}
