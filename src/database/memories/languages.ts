import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'

/** The languages a memory's chunks are in (ISO 639-1), the most frequent first. */
export async function listLanguages(db: Kysely<Tables>, memoryId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memory_languages')
    .select('language')
    .where('memory_id', '=', memoryId)
    .where('chunks', '>', 0)
    .orderBy('chunks', 'desc')
    .execute()
  return rows.map(({ language }) => language)
}

/** The language of most of the memory's chunks; `null` while it has none. */
export async function getDominantLanguage(db: Kysely<Tables>, memoryId: string): Promise<string | null> {
  const [first] = await listLanguages(db, memoryId)
  return first ?? null
}
