/**
 * Processes on a database. Intents and running claims carry the id of their process, and other
 * processes clean up after its death. A process is dead without a heartbeat since `seenSince`. If
 * only one process can exist (`''`), a process without a row is dead.
 */
import { expressionBuilder, type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

/** Records a heartbeat. */
export async function recordHeartbeat(db: Kysely<Tables>, { id, now }: { id: string; now: Date }): Promise<void> {
  const seen_at = now.toISOString()
  await db
    .insertInto('nodes')
    .values({ id, seen_at })
    .onConflict((known) => known.column('id').doUpdateSet({ seen_at }))
    .execute()
}

/** Deletes the rows of every process except `id`. */
export async function deleteOtherNodes(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '<>', id).execute()
}

/** Deletes the row of a process. */
export async function deleteNode(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute()
}

/** Deletes the rows of dead processes. */
export async function purgeNodes(db: Kysely<Tables>, seenSince: string): Promise<void> {
  await db.deleteFrom('nodes').where('seen_at', '<', seenSince).execute()
}

/**
 * Subquery of live process ids. Use in the statement that tests rows: a process that starts between
 * two statements would look dead.
 */
export function liveNodes(seenSince: string) {
  return expressionBuilder<Tables>().selectFrom('nodes').select('id').where('seen_at', '>=', seenSince)
}

/** A lease for exclusive work, and its owner. */
type WorkLease = { name: string; owner: string }

/**
 * Acquires or renews a lease until `leaseMs` from now; `false` while another process holds the
 * lease.
 */
export async function acquireLease(
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

/** Releases a lease of this process. */
export async function releaseLease(db: Kysely<Tables>, { name, owner }: WorkLease): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
}

/** Requests counted in the current window, including this one, and the end of the window. */
type RateWindow = { requests: number; endsAt: Date }

/**
 * Counts a request of `name` in one statement; the first request after the end starts a new window.
 */
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

/** Deletes windows that ended before `before`. */
export async function purgeRateWindows(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('rate_windows').where('ends_at', '<', before.toISOString()).execute()
}

/** Reads the id of this database's object store; `null` before the first start. */
export async function getObjectStoreId(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('installation').select('objects_id').executeTakeFirst()
  return row?.objects_id ?? null
}

/** Stores the id of this database's object store. Rejects if already stored. */
export async function setObjectStoreId(db: Kysely<Tables>, objectsId: string): Promise<void> {
  await db.insertInto('installation').values({ one: 1, objects_id: objectsId }).execute()
}

/**
 * Progress of a background task: its version, and the id of the last processed row; `null` if
 * complete.
 */
type TaskProgress = { version: number; reached: string | null }

/** Reads the progress of a task; `null` before the start. */
export async function getTaskProgress(db: Kysely<Tables>, name: string): Promise<TaskProgress | null> {
  const row = await db.selectFrom('marks').select(['version', 'reached']).where('name', '=', name).executeTakeFirst()
  return row ?? null
}

/** Stores the progress of a task. */
export async function setTaskProgress(db: Kysely<Tables>, name: string, mark: TaskProgress): Promise<void> {
  const insert = db.insertInto('marks').values({ name, ...mark })
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet(mark)).execute()
}
