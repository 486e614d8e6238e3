/**
 * The tags by which documents are listed. A request may bring a million: in the transaction in which its documents begin to show they would keep
 * everybody off the database for many seconds. A row whose document is not there shows nowhere, so they may be written before and removed behind; what
 * is left of an add that failed is named by its intents, and of a deletion by its removal.
 */
import type { Kysely } from 'kysely'
import { toNfc } from '../../text/characters.ts'
import type { Tables } from '../schema.ts'
import { runUnsynced, slices } from '../statements.ts'

/** Rows written in one transaction, some 15 ms: everyone waits as long. */
const ROWS_A_TRANSACTION = 2000
/** Documents of which rows are removed in one statement: with a hundred tags each some 10 ms. */
const DOCUMENTS_A_DELETION = 20

/** A document with tags that are to be noted. */
export type Tagged = { row: { id: string; memory_id: string }; tags: readonly string[] }

/** The tags by which a document is listed: each once, however its accents are written. */
export function listedTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(toNfc))]
}

/** Notes the tags of documents that have none. */
export async function insertTags(db: Kysely<Tables>, documents: readonly Tagged[]): Promise<void> {
  const rows = documents.flatMap(({ row: { id, memory_id }, tags }) =>
    listedTags(tags).map((tag) => ({ document_id: id, memory_id, tag })),
  )
  for (const slice of slices(rows)) await db.insertInto('document_tags').values(slice).execute()
}

/**
 * Notes the tags of documents that are being written and bear intents, where they are too many for the transaction in which these begin to show. Gives the
 * documents with the tags that are left for that: all or none.
 */
export async function insertTagsAhead<Document extends Tagged>(
  db: Kysely<Tables>,
  documents: readonly Document[],
): Promise<readonly Document[]> {
  const portions = [...portionsOf(documents)]
  if (portions.length <= 1) return documents
  for (const portion of portions) await db.transaction().execute((transaction) => insertTags(transaction, portion))
  return documents.map((document) => ({ ...document, tags: [] }))
}

function* portionsOf(documents: readonly Tagged[]): Generator<Tagged[]> {
  let portion: Tagged[] = []
  let rows = 0
  for (const document of documents) {
    if (rows + document.tags.length > ROWS_A_TRANSACTION) {
      yield portion
      portion = []
      rows = 0
    }
    portion.push(document)
    rows += document.tags.length
  }
  yield portion
}

/** Forgets the tags of documents that are gone. What a loss of power brings back is removed again. */
export async function deleteTags(db: Kysely<Tables>, documentIds: readonly string[]): Promise<void> {
  for (const slice of slices(documentIds, DOCUMENTS_A_DELETION)) {
    await runUnsynced(db, (connection) =>
      connection.deleteFrom('document_tags').where('document_id', 'in', slice).execute(),
    )
  }
}
