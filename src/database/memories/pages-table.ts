import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema.ts'

/** Page reports of a document: a JSON array with the result of each page. */
type StoredReport = { id: string; title: string; pages: string }

/** Rows per statement: about a millisecond on SQLite, which blocks the event loop. */
const ROWS_PER_STATEMENT = 500
/** Longer reports, of some hundred pages, are read separately: 50,000 pages are megabytes. */
const MAX_SHORT_REPORT_BYTES = 16_384

/**
 * Iterates over the page reports of all documents of a memory except corrections, newest first, in
 * any state. Reads in batches and yields between them. Documents added meanwhile are not included.
 */
export async function* iteratePageReports(db: Kysely<Tables>, memoryId: string): AsyncGenerator<StoredReport> {
  let before: number | null = null
  do {
    const rows = await listPageReports(db, { memoryId, before })
    before = rows.length < ROWS_PER_STATEMENT ? null : (rows.at(-1)?.seq ?? null)
    for (const { id, title, pages } of rows) {
      if (pages !== null) yield { id, title, pages }
      else yield* readLongReport(db, { id, title })
    }
    await nextTurn()
  } while (before !== null)
}

/** `pages` is `null` for a long report. */
function listPageReports(db: Kysely<Tables>, { memoryId, before }: { memoryId: string; before: number | null }) {
  return (
    db
      .selectFrom('documents')
      // Select the length too: SQLite then skips reading a long value.
      .select(['seq', 'id', 'title', shortReport(MAX_SHORT_REPORT_BYTES)])
      .where('memory_id', '=', memoryId)
      // A literal, as the partial index requires.
      .where('source_type', '<>', sql.lit('correction'))
      .$if(before !== null, (older) => older.where('seq', '<', before ?? 0))
      .orderBy('seq', 'desc')
      .limit(ROWS_PER_STATEMENT)
      .execute()
  )
}

function shortReport(bytes: number) {
  return sql<string | null>`case when octet_length(pages) <= ${bytes} then pages end`.as('pages')
}

async function* readLongReport(db: Kysely<Tables>, { id, title }: Omit<StoredReport, 'pages'>) {
  await nextTurn()
  const row = await db.selectFrom('documents').select('pages').where('id', '=', id).executeTakeFirst()
  if (row !== undefined) yield { id, title, pages: row.pages }
}

/** Characters per page, in order, and the length of the text, in UTF-16 code units. */
export type PageLengths = { pages: readonly { page: number; characters: number }[]; characterCount: number }

/** Reads the page lengths of documents by id; unknown documents are left out. */
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
