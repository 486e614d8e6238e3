import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Organization, Tables } from '../schema.ts'
import { isPostgres, runUnsynced } from '../statements.ts'

/** Reads an organization; `null` if unknown. */
export async function getOrganization(db: Kysely<Tables>, organizationId: string): Promise<Organization | null> {
  const found = await db.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirst()
  return found ?? null
}

/** Reads the first organization of the installation; `null` on empty storage. */
export async function getFirstOrganization(db: Kysely<Tables>): Promise<Organization | null> {
  const found = await db.selectFrom('organizations').selectAll().orderBy('id').limit(1).executeTakeFirst()
  return found ?? null
}

/** Lists up to `limit` organizations, newest first, after the id `after`. */
export function listOrganizations(
  db: Kysely<Tables>,
  { after, limit }: { after: string | null; limit: number },
): Promise<Organization[]> {
  return db
    .selectFrom('organizations')
    .selectAll()
    .$if(after !== null, (page) => page.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the organizations of the installation. */
export async function countOrganizations(db: Kysely<Tables>): Promise<number> {
  const { total } = await db
    .selectFrom('organizations')
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Inserts an organization. */
export async function insertOrganization(db: Kysely<Tables>, organization: Organization): Promise<void> {
  await db.insertInto('organizations').values(organization).execute()
}

/** Updates the plan of an organization. */
export async function setPlan(db: Kysely<Tables>, organizationId: string, plan: string): Promise<void> {
  await db.updateTable('organizations').set({ plan }).where('id', '=', organizationId).execute()
}

/** Locks an organization until the end of the transaction, so that its counts stay valid. */
export async function lockOrganization(transaction: Transaction<Tables>, organizationId: string): Promise<void> {
  await transaction
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .$if(isPostgres(transaction), (rows) => rows.forNoKeyUpdate())
    .execute()
}

/** Usage of an organization in a calendar month, such as `2026-11`. */
export type UsageKey = { organizationId: string; month: string }

/** Number of queries in the month. */
export async function getQueryCount(db: Kysely<Tables>, { organizationId, month }: UsageKey): Promise<number> {
  const row = await db
    .selectFrom('usage')
    .select('queries')
    .where('organization_id', '=', organizationId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.queries ?? 0
}

/**
 * Counts a query in one statement, so that concurrent queries cannot exceed `limit` (`null`: no
 * limit); `false` at the limit. The count does not wait for the disk: only a power failure can lose
 * the latest counts.
 */
export async function countQuery(
  db: Kysely<Tables>,
  { organizationId, month, limit }: UsageKey & { limit: number | null },
): Promise<boolean> {
  const usage = { organization_id: organizationId, month, queries: 1 }
  const count = async (connection: Kysely<Tables>) => {
    const insert = connection.insertInto('usage')
    const counting = isPostgres(db)
      ? insert.columns(['organization_id', 'month', 'queries']).expression(asyncCommitRow(usage))
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
 * Subquery that turns off `synchronous_commit` for its statement. A transaction would cost four
 * round trips per search, and would lock the organization's row for their duration.
 */
function asyncCommitRow({ organization_id, month, queries }: Insertable<Tables['usage']>) {
  return sql<[string, string, number]>`
    select ${organization_id}, ${month}, ${queries}::integer
    from (select set_config('synchronous_commit', 'off', true)) as this_transaction`
}
