import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { Organization, Tables } from '../schema.ts'
import { isPostgres, runUnsynced } from '../statements.ts'

/** The organization, or `null`. */
export async function getOrganization(db: Kysely<Tables>, organizationId: string): Promise<Organization | null> {
  const found = await db.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirst()
  return found ?? null
}

/** The first organization of the installation; `null` on empty storage. */
export async function getFirstOrganization(db: Kysely<Tables>): Promise<Organization | null> {
  const found = await db.selectFrom('organizations').selectAll().orderBy('id').limit(1).executeTakeFirst()
  return found ?? null
}

/** At most `limit` organizations, newest first; `after` is the identifier of the last of the page before. */
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

/** How many organizations the installation has. */
export async function countOrganizations(db: Kysely<Tables>): Promise<number> {
  const { total } = await db
    .selectFrom('organizations')
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Adds an organization. */
export async function insertOrganization(db: Kysely<Tables>, organization: Organization): Promise<void> {
  await db.insertInto('organizations').values(organization).execute()
}

/** Changes an organization's plan. */
export async function setPlan(db: Kysely<Tables>, organizationId: string, plan: string): Promise<void> {
  await db.updateTable('organizations').set({ plan }).where('id', '=', organizationId).execute()
}

/** Makes other transactions that lock the same organization wait until this one ends: what it counts stays true. */
export async function lockOrganization(transaction: Transaction<Tables>, organizationId: string): Promise<void> {
  await transaction
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .$if(isPostgres(transaction), (rows) => rows.forNoKeyUpdate())
    .execute()
}

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
