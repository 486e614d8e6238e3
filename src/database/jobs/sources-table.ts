/** Table of sources: their settings, due times and leases. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Source, Tables } from '../schema.ts'

/** Inserts a source. */
export async function insertSource(db: Kysely<Tables>, source: Source): Promise<void> {
  await db.insertInto('sources').values(source).execute()
}

/** A source of a memory. */
type SourceKey = { memoryId: string; sourceId: string }

/** Reads a source; `null` if unknown in the memory. */
export async function getSource(db: Kysely<Tables>, { memoryId, sourceId }: SourceKey): Promise<Source | null> {
  const found = await db
    .selectFrom('sources')
    .selectAll()
    .where('id', '=', sourceId)
    .where('memory_id', '=', memoryId)
    .executeTakeFirst()
  return found ?? null
}

/** Lists up to `limit` sources of a memory, newest first, after the id `after`. */
export function listSources(
  db: Kysely<Tables>,
  { memoryId, after, limit }: { memoryId: string; after: string | null; limit: number },
): Promise<Source[]> {
  return db
    .selectFrom('sources')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .$if(after !== null, (page) => page.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the sources of a memory. */
export async function countSources(db: Kysely<Tables>, memoryId: string): Promise<number> {
  const { total } = await db
    .selectFrom('sources')
    .where('memory_id', '=', memoryId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Columns that a caller changes. */
export type SourceChange = Partial<
  Pick<
    Source,
    'name' | 'settings' | 'credentials' | 'fields' | 'interval_minutes' | 'paused' | 'next_run_at' | 'updated_at'
  >
>

/** Changes a source; `false` if unknown. */
export async function changeSource(db: Kysely<Tables>, sourceId: string, change: SourceChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sources')
    .set(change)
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes a source with its items; `false` if unknown. */
export async function deleteSource(transaction: Transaction<Tables>, sourceId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('sources')
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow()
  await transaction.deleteFrom('source_items').where('source_id', '=', sourceId).execute()
  return numDeletedRows > 0n
}

/** Deletes all sources of a memory. Their runs notice it and end. */
export async function deleteSourcesOfMemory(transaction: Transaction<Tables>, memoryId: string): Promise<void> {
  await transaction.deleteFrom('sources').where('memory_id', '=', memoryId).execute()
  await transaction.deleteFrom('source_items').where('memory_id', '=', memoryId).execute()
}

/** Due sources considered per claim; the rest follows. */
const MAX_CANDIDATES = 100

/** `token` must be unique per claim. */
export type SourceClaim = { token: string; leaseMs: number; now: Date }

/**
 * Claims a due source that no process runs; `null` if there is none. Organizations with fewer
 * running sources come first, then the longest overdue.
 */
export async function claimSource(db: Kysely<Tables>, { token, leaseMs, now }: SourceClaim): Promise<Source | null> {
  const at = now.toISOString()
  const { rows } = await sql<{ id: string }>`
    select id from sources due
    where next_run_at <= ${at} and paused = 0 and (lease_token is null or lease_expires_at <= ${at})
    order by (
      select count(*) from sources own
      where own.organization_id = due.organization_id and own.lease_token is not null and own.lease_expires_at > ${at}
    ), next_run_at, id
    limit ${sql.lit(MAX_CANDIDATES)}`.execute(db)
  for (const { id } of rows) {
    // The condition is checked again: another process may have claimed the source meanwhile.
    const claimed = await db
      .updateTable('sources')
      .set({ lease_token: token, lease_expires_at: new Date(now.getTime() + leaseMs).toISOString() })
      .set((source) => ({ attempts: source('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('paused', '=', 0)
      .where('next_run_at', '<=', at)
      .where((source) => source.or([source('lease_token', 'is', null), source('lease_expires_at', '<=', at)]))
      .returningAll()
      .executeTakeFirst()
    if (claimed !== undefined) return claimed
  }
  return null
}

/** A run's claim to its source. */
export type SourceLease = { sourceId: string; token: string }

/**
 * Renews a lease and stores the progress. Returns `lost` if the source was deleted or claimed by
 * another process, and `paused` if the caller paused the source.
 */
export async function renewSourceLease(
  db: Kysely<Tables>,
  { sourceId, token }: SourceLease,
  { expiresAt, currentRun }: { expiresAt: Date; currentRun: string },
): Promise<'held' | 'paused' | 'lost'> {
  const renewed = await db
    .updateTable('sources')
    .set({ lease_expires_at: expiresAt.toISOString(), current_run: currentRun })
    .where('id', '=', sourceId)
    .where('lease_token', '=', token)
    .returning('paused')
    .executeTakeFirst()
  if (renewed === undefined) return 'lost'
  return renewed.paused === 1 ? 'paused' : 'held'
}

/** Columns that the end of a run changes. */
export type RunEnd = Partial<Pick<Source, 'attempts' | 'last_run' | 'current_run' | 'next_run_at'>>

/** Ends a run; without effect if its lease is lost. Returns whether the lease was held. */
export async function releaseSource(
  db: Kysely<Tables>,
  { sourceId, token }: SourceLease,
  end: RunEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sources')
    .set({ ...end, lease_token: null, lease_expires_at: null })
    .where('id', '=', sourceId)
    .where('lease_token', '=', token)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Releases the leases of dead processes, when no other process uses the database. */
export async function releaseAllSources(db: Kysely<Tables>): Promise<void> {
  await db.updateTable('sources').set({ lease_token: null, lease_expires_at: null }).execute()
}

/**
 * Clamps due times and leases that are too far ahead after the clock was set back. A due time is at
 * most the interval of the source ahead.
 */
export async function clampSourceTimes(
  db: Kysely<Tables>,
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<void> {
  const tooFar = new Date(now.getTime() + 2 * leaseMs).toISOString()
  const sources = db.updateTable('sources')
  await sources.set({ lease_expires_at: now.toISOString() }).where('lease_expires_at', '>', tooFar).execute()
  const due = await db
    .selectFrom('sources')
    .select(['id', 'next_run_at', 'interval_minutes'])
    .where('next_run_at', '>', tooFar)
    .execute()
  for (const { id, next_run_at: at, interval_minutes: minutes } of due) {
    if (at === null || Date.parse(at) - now.getTime() <= (minutes ?? 0) * 60_000 + leaseMs) continue
    await sources.set({ next_run_at: now.toISOString() }).where('id', '=', id).where('next_run_at', '=', at).execute()
  }
}
