import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema.ts'

/** A document's receipt as it is stored: a JSON array of what became of each page. */
type StoredReceipt = { id: string; title: string; pages: string }

/** Rows a statement: SQLite gives them in about a millisecond, and everyone waits as long. */
const ROWS_A_STATEMENT = 500
/** A longer receipt, of some hundred pages, is read by itself: one of 50,000 pages has megabytes. */
const MOST_BYTES_AT_ONCE = 16_384

/**
 * The receipts of all documents of a memory, newest first, whatever their state; corrections are left out. They are read some at a time, and between
 * them others have their turn. What arrives meanwhile is not among them.
 */
export async function* eachReceipt(db: Kysely<Tables>, memoryId: string): AsyncGenerator<StoredReceipt> {
  let before: number | null = null
  do {
    const rows = await listReceipts(db, { memoryId, before })
    before = rows.length < ROWS_A_STATEMENT ? null : (rows.at(-1)?.seq ?? null)
    for (const { id, title, pages } of rows) {
      if (pages !== null) yield { id, title, pages }
      else yield* readLongReceipt(db, { id, title })
    }
    await nextTurn()
  } while (before !== null)
}

/** `pages` is `null` where it is long. */
function listReceipts(db: Kysely<Tables>, { memoryId, before }: { memoryId: string; before: number | null }) {
  return (
    db
      .selectFrom('documents')
      // The length stands beside the value: a long one is not read for it.
      .select(['seq', 'id', 'title', receiptUpTo(MOST_BYTES_AT_ONCE)])
      .where('memory_id', '=', memoryId)
      // A literal, or the partial index could not serve it.
      .where('source_type', '<>', sql.lit('correction'))
      .$if(before !== null, (older) => older.where('seq', '<', before ?? 0))
      .orderBy('seq', 'desc')
      .limit(ROWS_A_STATEMENT)
      .execute()
  )
}

function receiptUpTo(bytes: number) {
  return sql<string | null>`case when octet_length(pages) <= ${bytes} then pages end`.as('pages')
}

async function* readLongReceipt(db: Kysely<Tables>, { id, title }: Omit<StoredReceipt, 'pages'>) {
  await nextTurn()
  const row = await db.selectFrom('documents').select('pages').where('id', '=', id).executeTakeFirst()
  if (row !== undefined) yield { id, title, pages: row.pages }
}

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
