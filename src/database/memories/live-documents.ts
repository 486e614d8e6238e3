import { type Kysely, sql } from 'kysely'
import { type Document, LIVE_STATUSES, type Tables } from '../schema.ts'

/** Document columns for a hit. */
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

/**
 * Reads the visible documents among `documentIds`, by id. Other chunks in the memory file are not
 * search results.
 */
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
    // An expression, because for the plain column SQLite chooses the index of memory and status,
    // and scans every document of the memory.
    .where(({ eb, fn, val }) => eb(fn.coalesce('memory_id', val('')), '=', memoryId))
    .where('status', 'in', LIVE_STATUSES)
    .where('enabled', '=', 1)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Facts of a document for filters. */
type ChangedDocument = Pick<
  Document,
  'id' | 'revision' | 'tags' | 'metadata' | 'source_type' | 'created_at' | 'enabled'
>

/**
 * Lists documents of a memory in any state by the last change, after a position. A document with a
 * change meanwhile is listed again.
 */
export function listChangedDocuments(
  db: Kysely<Tables>,
  memoryId: string,
  { after, limit }: { after: { revision: number; id: string }; limit: number },
): Promise<ChangedDocument[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'revision', 'tags', 'metadata', 'source_type', 'created_at', 'enabled'])
    .where('memory_id', '=', memoryId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('revision', 'id'), '>', tuple(after.revision, after.id)))
    .orderBy('revision')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Lists titles of a memory's visible documents, without corrections, after sequence number
 * `behind`, oldest first.
 */
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
      .where('status', 'in', LIVE_STATUSES)
      // A literal, so that SQLite uses the partial index without corrections.
      .where('source_type', '<>', sql.lit('correction'))
      .orderBy('seq')
      .limit(limit)
      .execute()
  )
}
