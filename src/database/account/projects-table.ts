/** Table `projects`; every statement filters by organization. */
import type { Kysely, Transaction } from 'kysely'
import type { Project, Tables } from '../schema.ts'
import { isPostgres } from '../statements.ts'

/** A project with the number of its memories. */
export type ProjectWithCount = Project & { memory_count: number }

/** Normalised name for the unique index: ignores case and compatibility forms (ﬁ, full width). */
export function projectNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** Reads a project of the organization; `null` if unknown. */
export async function getProject(
  db: Kysely<Tables>,
  organizationId: string,
  projectId: string,
): Promise<ProjectWithCount | null> {
  const found = await projectsWithCount(db, organizationId).where('id', '=', projectId).executeTakeFirst()
  return found ?? null
}

/** Finds a project by name, ignoring case; `null` if unknown. */
export async function findProjectByName(
  db: Kysely<Tables>,
  organizationId: string,
  name: string,
): Promise<ProjectWithCount | null> {
  const found = await projectsWithCount(db, organizationId)
    .where('name_key', '=', projectNameKey(name))
    .executeTakeFirst()
  return found ?? null
}

/** Lists up to `limit` projects, newest first, after the id `after`. */
export function listProjects(
  db: Kysely<Tables>,
  { organizationId, after, limit }: { organizationId: string; after: string | null; limit: number },
): Promise<ProjectWithCount[]> {
  return projectsWithCount(db, organizationId)
    .$if(after !== null, (page) => page.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the projects of an organization. */
export async function countProjects(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const { total } = await db
    .selectFrom('projects')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Inserts a project; `false` if the name is taken. */
export async function insertProject(db: Kysely<Tables>, project: Project): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.columns(['organization_id', 'name_key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Renames a project if it exists. Rejects with a unique violation if the name is taken. */
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

/** Deletes a project and removes its memories from it; `false` if unknown. */
export async function deleteProject(db: Kysely<Tables>, organizationId: string, projectId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('projects')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Locks a project against deletion until the end of the transaction; `false` if unknown. */
export async function lockProject(transaction: Transaction<Tables>, projectId: string): Promise<boolean> {
  const found = await transaction
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .$if(isPostgres(transaction), (rows) => rows.forNoKeyUpdate())
    .executeTakeFirst()
  return found !== undefined
}

function projectsWithCount(db: Kysely<Tables>, organizationId: string) {
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
