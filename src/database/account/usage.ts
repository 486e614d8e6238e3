import { type Insertable, type Kysely, sql } from 'kysely'
import { isPostgres } from '../locks.ts'
import { runUnsynced } from '../run-unsynced.ts'
import type { Tables } from '../schema.ts'

/** An organization's calendar month, `2026-11`. */
export type UsageKey = { organizationId: string; month: string }

/** Queries counted in the month. */
export async function getQueries(db: Kysely<Tables>, { organizationId, month }: UsageKey): Promise<number> {
  const row = await db
    .selectFrom('usage')
    .select('queries')
    .where('organization_id', '=', organizationId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.queries ?? 0
}

/**
 * Counts one query in one statement, so that `limit` (`null`: none) is never passed, however many count at once;
 * `false` when it is reached. The count does not wait for the disk: only a loss of power can take back the last ones.
 */
export async function countQuery(
  db: Kysely<Tables>,
  { organizationId, month, limit }: UsageKey & { limit: number | null },
): Promise<boolean> {
  const usage = { organization_id: organizationId, month, queries: 1 }
  const count = async (connection: Kysely<Tables>) => {
    const insert = connection.insertInto('usage')
    const counting = isPostgres(db)
      ? insert.columns(['organization_id', 'month', 'queries']).expression(withoutWaiting(usage))
      : insert.values(usage)
    const { numInsertedOrUpdatedRows } = await counting
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'month'])
          .doUpdateSet((counted) => ({ queries: counted('usage.queries', '+', 1) }))
          .where('usage.queries', '<', sql<number>`cast(${limit ?? Number.MAX_SAFE_INTEGER} as bigint)`),
      )
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  return isPostgres(db) ? count(db) : runUnsynced(db, count)
}

/**
 * The row, out of a statement whose commit does not wait for the disk: every find would wait for a transaction of four round
 * trips otherwise, and all of an organization for the row that they count in.
 */
function withoutWaiting({ organization_id, month, queries }: Insertable<Tables['usage']>) {
  return sql<[string, string, number]>`
    select ${organization_id}, ${month}, ${queries}::integer
    from (select set_config('synchronous_commit', 'off', true)) as this_transaction`
}
