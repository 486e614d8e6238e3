import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** What the object store of this database calls itself; `null` before that was noted. */
export async function getObjectsId(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('installation').select('objects_id').executeTakeFirst()
  return row?.objects_id ?? null
}

/** Notes what the object store of this database calls itself. Rejects when that was noted before. */
export async function setObjectsId(db: Kysely<Tables>, objectsId: string): Promise<void> {
  await db.insertInto('installation').values({ one: 1, objects_id: objectsId }).execute()
}
