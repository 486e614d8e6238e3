import { type Kysely, sql } from 'kysely'
import { type Document, LIVE, type Tables } from '../schema.ts'

/** What a hit tells of its document. */
export type LiveDocument = Pick<
  Document,
  | 'id'
  | 'seq'
  | 'title'
  | 'filename'
  | 'url'
  | 'tags'
  | 'metadata'
  | 'language'
  | 'boost'
  | 'statement'
  | 'topics'
  | 'expires_at'
  | 'created_at'
>

/** Of these documents of the memory those that show, by identifier. Whatever else the memory file holds is not found. */
export async function findLiveDocuments(
  db: Kysely<Tables>,
  memoryId: string,
  documentIds: readonly string[],
): Promise<Map<string, LiveDocument>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('documents')
    .select([
      'id',
      'seq',
      'title',
      'filename',
      'url',
      'tags',
      'metadata',
      'language',
      'boost',
      'statement',
      'topics',
      'expires_at',
      'created_at',
    ])
    .where('id', 'in', documentIds)
    // As an expression: by the plain column SQLite takes the index of memory and status, and walks through every document of the memory.
    .where(({ eb, fn, val }) => eb(fn.coalesce('memory_id', val('')), '=', memoryId))
    .where('status', 'in', LIVE)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Titles of a memory's documents that show, but for corrections: so many that came behind a number in the order of arrival, the oldest first. */
export function listTitles(
  db: Kysely<Tables>,
  memoryId: string,
  { behind, limit }: { behind: number; limit: number },
): Promise<Pick<LiveDocument, 'seq' | 'title' | 'filename' | 'language'>[]> {
  return (
    db
      .selectFrom('documents')
      .select(['seq', 'title', 'filename', 'language'])
      .where('memory_id', '=', memoryId)
      .where('seq', '>', behind)
      .where('status', 'in', LIVE)
      // To the letter, so that SQLite takes the index of all but corrections.
      .where('source_type', '<>', sql.lit('correction'))
      .orderBy('seq')
      .limit(limit)
      .execute()
  )
}
