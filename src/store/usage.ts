import { type Kysely, sql } from 'kysely'
import { runUnsynced } from './run-unsynced.ts'
import type { Tables } from './schema.ts'

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
  return runUnsynced(db, async (connection) => {
    const { numInsertedOrUpdatedRows } = await connection
      .insertInto('usage')
      .values({ organization_id: organizationId, month, queries: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'month'])
          .doUpdateSet((usage) => ({ queries: usage('usage.queries', '+', 1) }))
          .where('usage.queries', '<', sql<number>`cast(${limit ?? Number.MAX_SAFE_INTEGER} as bigint)`),
      )
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  })
}
