import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** How far a piece of work has come: of this version, up to the row of this identifier; `null`: to the end. */
export type Mark = { version: number; reached: string | null }

/** How far it has come; `null` where it never began. */
export async function getMark(db: Kysely<Tables>, name: string): Promise<Mark | null> {
  const row = await db.selectFrom('marks').select(['version', 'reached']).where('name', '=', name).executeTakeFirst()
  return row ?? null
}

/** Notes how far it has come. */
export async function setMark(db: Kysely<Tables>, name: string, mark: Mark): Promise<void> {
  const insert = db.insertInto('marks').values({ name, ...mark })
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet(mark)).execute()
}
