import { type Kysely, sql } from 'kysely'
import { type Document, LIVE_STATUSES, type Memory, type Tables } from '../schema.ts'

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

/** Visible documents of memories in use. */
export type LiveDocuments = {
  /**
   * Finds the visible documents among `documentIds`, at the revision of the memory or later. Others
   * may be in the map as well.
   */
  find(
    memory: Pick<Memory, 'id' | 'revision'>,
    documentIds: Iterable<string>,
  ): Promise<ReadonlyMap<string, LiveDocument>>
}

/** About 10 MB. Reading 128 documents took a millisecond of a search. */
const MAX_KEPT_DOCUMENTS = 20_000
/** Characters of titles, tags, metadata and statements. */
const MAX_KEPT_CHARACTERS = 4 * 2 ** 20

/**
 * Keeps documents that searches have read until the revision of their memory changes. Each change
 * of a visible document raises the revision in its transaction, as do deletions. So a search that
 * reads the memory after the change does not find what was read before.
 */
export function createLiveDocuments(db: Kysely<Tables>): LiveDocuments {
  const byMemory = new Map<string, { revision: number; documents: Map<string, LiveDocument> }>()
  let [kept, characters] = [0, 0]

  function openKept({ id, revision }: Pick<Memory, 'id' | 'revision'>): Map<string, LiveDocument> {
    if (kept > MAX_KEPT_DOCUMENTS || characters > MAX_KEPT_CHARACTERS) {
      byMemory.clear()
      kept = 0
      characters = 0
    }
    const known = byMemory.get(id)
    if (known?.revision === revision) return known.documents
    const documents = new Map<string, LiveDocument>()
    byMemory.set(id, { revision, documents })
    return documents
  }

  return {
    async find(memory, documentIds) {
      // Another search may replace the map meanwhile, so this one keeps its own.
      const documents = openKept(memory)
      const missing = [...documentIds].filter((id) => !documents.has(id))
      for (const [id, document] of await findLiveDocuments(db, memory.id, missing)) {
        documents.set(id, document)
        kept += 1
        const { title, tags, metadata, statement } = document
        characters += title.length + tags.length + metadata.length + (statement?.length ?? 0)
      }
      return documents
    },
  }
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
