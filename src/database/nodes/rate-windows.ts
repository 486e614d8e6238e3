import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema.ts'

/** Requests counted in the window that is open, this one included, and when that ends. */
export type RateWindow = { requests: number; endsAt: Date }

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
