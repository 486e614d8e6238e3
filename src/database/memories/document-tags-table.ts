/**
 * Tags for listing documents. A request may add a million tags. Within the publishing transaction,
 * their insertion would block the database for many seconds. Tag rows without a document are
 * invisible, so they are written before the document and deleted after it. Intents identify the
 * rows of a failed add, and the deletion outbox those of a deletion.
 */
import type { Kysely } from 'kysely'
import { toNfc } from '../../text/characters.ts'
import type { Tables } from '../schema.ts'
import { batches, runUnsynced } from '../statements.ts'

/** Rows per transaction, about 15 ms: a transaction blocks all writers. */
const ROWS_PER_TRANSACTION = 2000
/** Documents per delete statement: about 10 ms with a hundred tags each. */
const DOCUMENTS_PER_STATEMENT = 20

/** A document with its tags. */
export type TaggedDocument = { row: { id: string; memory_id: string }; tags: readonly string[] }

/** Distinct tags, normalised to NFC. */
export function normalizeTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(toNfc))]
}

/** Inserts the tags of new documents. */
export async function insertTags(db: Kysely<Tables>, documents: readonly TaggedDocument[]): Promise<void> {
  const rows = documents.flatMap(({ row: { id, memory_id }, tags }) =>
    normalizeTags(tags).map((tag) => ({ document_id: id, memory_id, tag })),
  )
  for (const slice of batches(rows)) await db.insertInto('document_tags').values(slice).execute()
}

/**
 * Inserts the tags of documents with intents before their publishing transaction if there are many.
 * Returns the documents with their remaining tags: all or none.
 */
export async function insertTagsBeforePublishing<Document extends TaggedDocument>(
  db: Kysely<Tables>,
  documents: readonly Document[],
): Promise<readonly Document[]> {
  const portions = [...batchByRows(documents)]
  if (portions.length <= 1) return documents
  for (const portion of portions) await db.transaction().execute((transaction) => insertTags(transaction, portion))
  return documents.map((document) => ({ ...document, tags: [] }))
}

function* batchByRows(documents: readonly TaggedDocument[]): Generator<TaggedDocument[]> {
  let portion: TaggedDocument[] = []
  let rows = 0
  for (const document of documents) {
    if (rows + document.tags.length > ROWS_PER_TRANSACTION) {
      yield portion
      portion = []
      rows = 0
    }
    portion.push(document)
    rows += document.tags.length
  }
  yield portion
}

/** Deletes the tags of deleted documents. A deletion undone by a power failure is repeated. */
export async function deleteTags(db: Kysely<Tables>, documentIds: readonly string[]): Promise<void> {
  for (const slice of batches(documentIds, DOCUMENTS_PER_STATEMENT)) {
    await runUnsynced(db, (connection) =>
      connection.deleteFrom('document_tags').where('document_id', 'in', slice).execute(),
    )
  }
}
