/**
 * The processes on a database. What a process has begun (intents, running claims of an Idempotency-Key) bears its name;
 * once it is gone, others clear that away. A process is gone when it has said nothing since `seenSince`; where there is
 * only ever one (`''`), when it has no row.
 */
import { expressionBuilder, type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

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

/** Work that one process at a time does, and which process asks. */
type WorkLease = { name: string; owner: string }

/** Takes a piece of work, or keeps it, until `leaseMs` from now; `false` while another process has it. */
export async function takeLease(
  db: Kysely<Tables>,
  { name, owner, now, leaseMs }: WorkLease & { now: Date; leaseMs: number },
): Promise<boolean> {
  const expires_at = new Date(now.getTime() + leaseMs).toISOString()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('leases')
    .values({ name, owner, expires_at })
    .onConflict((held) =>
      held
        .column('name')
        .doUpdateSet({ owner, expires_at })
        .where((lease) =>
          lease.or([lease('leases.owner', '=', owner), lease('leases.expires_at', '<', now.toISOString())]),
        ),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Gives a piece of work back, if it is this process's. */
export async function dropLease(db: Kysely<Tables>, { name, owner }: WorkLease): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
}

/** Requests counted in the window that is open, this one included, and when that ends. */
type RateWindow = { requests: number; endsAt: Date }

/** Counts one request of `name` in its window, which begins anew with the first request after its end; one statement. */
export async function countRequest(
  db: Kysely<Tables>,
  { name, now, windowMs }: { name: string; now: Date; windowMs: number },
): Promise<RateWindow> {
  const at = now.toISOString()
  const ends_at = new Date(now.getTime() + windowMs).toISOString()
  const isOver = sql<boolean>`rate_windows.ends_at <= ${at}`
  const row = await db
    .insertInto('rate_windows')
    .values({ name, ends_at, requests: 1 })
    .onConflict((known) =>
      known.column('name').doUpdateSet({
        requests: sql`case when ${isOver} then 1 else rate_windows.requests + 1 end`,
        ends_at: sql`case when ${isOver} then ${ends_at} else rate_windows.ends_at end`,
      }),
    )
    .returning(['requests', 'ends_at'])
    .executeTakeFirstOrThrow()
  return { requests: row.requests, endsAt: new Date(row.ends_at) }
}

/** Forgets windows that ended before `before`. */
export async function purgeRateWindows(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('rate_windows').where('ends_at', '<', before.toISOString()).execute()
}

/** What the object store of this database calls itself; `null` before that was noted. */
export async function getObjectsId(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('installation').select('objects_id').executeTakeFirst()
  return row?.objects_id ?? null
}

/** Notes what the object store of this database calls itself. Rejects when that was noted before. */
export async function setObjectsId(db: Kysely<Tables>, objectsId: string): Promise<void> {
  await db.insertInto('installation').values({ one: 1, objects_id: objectsId }).execute()
}

/** How far a piece of work has come: of this version, up to the row of this identifier; `null`: to the end. */
type Mark = { version: number; reached: string | null }

/** How far it has come; `null` where it never began. */
export async function getMark(db: Kysely<Tables>, name: string): Promise<Mark | null> {
  const row = await db.selectFrom('marks').select(['version', 'reached']).where('name', '=', name).executeTakeFirst()
  return row ?? null
}

/** Notes how far it has come. */
export async function setMark(db: Kysely<Tables>, name: string, mark: Mark): Promise<void> {
  const insert = db.insertInto('marks').values({ name, ...mark })
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet(mark)).execute()
}
