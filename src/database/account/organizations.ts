import type { Kysely, Transaction } from 'kysely'
import { isPostgres } from '../locks.ts'
import type { Organization, Tables } from '../schema.ts'

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
