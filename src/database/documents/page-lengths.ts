import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'

/** What the pages of a document brought, in order, and the length of its text; in UTF-16 code units. */
export type PageLengths = { pages: readonly { page: number; characters: number }[]; characterCount: number }

/** The lengths of the pages of these documents of a memory, by id; a document that is not there is left out. */
export async function listPageLengths(
  db: Kysely<Tables>,
  memoryId: string,
  documentIds: readonly string[],
): Promise<Map<string, PageLengths>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'pages', 'character_count'])
    .where('memory_id', '=', memoryId)
    .where('id', 'in', documentIds)
    .execute()
  return new Map(
    rows.map(({ id, pages, character_count: characterCount }) => {
      return [id, { pages: JSON.parse(pages) as PageLengths['pages'], characterCount }]
    }),
  )
}
