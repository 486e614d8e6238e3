/** Rows of projects; every function has the organization in its WHERE. */
import type { Kysely, Transaction } from 'kysely'
import type { Project, Tables } from '../schema.ts'
import { isPostgres } from '../statements.ts'

/** A project with the number of its memories. */
export type ProjectWithCount = Project & { memory_count: number }

/** What two names have in common when they are the same name: case and compatible forms (ﬁ, full width) are no difference. */
export function projectNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** The project, or `null` when the organization has none like it. */
export async function getProject(
  db: Kysely<Tables>,
  organizationId: string,
  projectId: string,
): Promise<ProjectWithCount | null> {
  const found = await withCount(db, organizationId).where('id', '=', projectId).executeTakeFirst()
  return found ?? null
}

/** The project of this name, whatever its case, or `null`. */
export async function findProjectByName(
  db: Kysely<Tables>,
  organizationId: string,
  name: string,
): Promise<ProjectWithCount | null> {
  const found = await withCount(db, organizationId).where('name_key', '=', projectNameKey(name)).executeTakeFirst()
  return found ?? null
}

/** At most `limit` projects, newest first; `after` is the identifier of the last of the page before. */
export function listProjects(
  db: Kysely<Tables>,
  { organizationId, after, limit }: { organizationId: string; after: string | null; limit: number },
): Promise<ProjectWithCount[]> {
  return withCount(db, organizationId)
    .$if(after !== null, (page) => page.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** How many projects the organization has. */
export async function countProjects(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { total } = await db
    .selectFrom('projects')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Adds a project; `false` when its name is taken. */
export async function insertProject(db: Kysely<Tables>, project: Project): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.columns(['organization_id', 'name_key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Renames a project, if it is there. Rejects with a unique violation when another one has the name. */
export async function renameProject(
  db: Kysely<Tables>,
  { organizationId, projectId, name, now }: { organizationId: string; projectId: string; name: string; now: string },
): Promise<void> {
  await db
    .updateTable('projects')
    .set({ name, name_key: projectNameKey(name), updated_at: now })
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .execute()
}

/** Removes a project, and with it the memories' word that they belong to it; `false` when there is none. */
export async function deleteProject(db: Kysely<Tables>, organizationId: string, projectId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('projects')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Keeps a project from being deleted until the transaction ends; `false` when there is none. */
export async function holdProject(transaction: Transaction<Tables>, projectId: string): Promise<boolean> {
  const found = await transaction
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .$if(isPostgres(transaction), (rows) => rows.forNoKeyUpdate())
    .executeTakeFirst()
  return found !== undefined
}

function withCount(db: Kysely<Tables>, organizationId: string) {
  return db
    .selectFrom('projects')
    .selectAll()
    .select((project) =>
      project
        .selectFrom('memories')
        .select((select) => select.fn.countAll<number>().as('count'))
        .whereRef('memories.project_id', '=', 'projects.id')
        .$asScalar()
        .$notNull()
        .as('memory_count'),
    )
    .where('organization_id', '=', organizationId)
}
