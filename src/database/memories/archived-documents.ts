/** What an export reads of a memory's documents, and what an import writes. Nothing here looks at who asks. */
import type { Kysely, Transaction } from 'kysely'
import { unpackText } from '../packed-text.ts'
import type { Document, Memory, Tables } from '../schema.ts'

/** A document with what hangs on its row. */
export type StoredDocument = Document & {
  /** The text of a small document, `null` where it is an object. */
  content: string | null
  signature: string | null
}

/** Which documents of a memory, in order of arrival. */
export type Stretch = { memoryId: string; status: Document['status']; afterSeq: number; limit: number }

/** At most `limit` documents of one status that arrived after `afterSeq`. */
export async function listStoredDocuments(
  db: Kysely<Tables>,
  { memoryId, status, afterSeq, limit }: Stretch,
): Promise<StoredDocument[]> {
  const rows = await selectStored(db)
    .where('documents.memory_id', '=', memoryId)
    .where('documents.status', '=', status)
    .where('documents.seq', '>', afterSeq)
    .orderBy('documents.seq')
    .limit(limit)
    .execute()
  return rows.map(unpacked)
}

/** Those of these documents that are there still, whatever became of them. */
export async function listStoredDocumentsById(db: Kysely<Tables>, ids: readonly string[]): Promise<StoredDocument[]> {
  const rows = await selectStored(db).where('documents.id', 'in', ids).orderBy('documents.seq').execute()
  return rows.map(unpacked)
}

function unpacked<Row extends { content: string | Uint8Array | null }>(row: Row): Row & { content: string | null } {
  return { ...row, content: row.content === null ? null : unpackText(row.content) }
}

/** What tells whether a document is still the one that was read. */
export type DocumentState = Pick<Document, 'id' | 'seq' | 'updated_at'>

/** The same stretch without its contents. */
export async function listDocumentStates(
  db: Kysely<Tables>,
  { memoryId, status, afterSeq, limit }: Stretch,
): Promise<DocumentState[]> {
  return db
    .selectFrom('documents')
    .select(['id', 'seq', 'updated_at'])
    .where('memory_id', '=', memoryId)
    .where('status', '=', status)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** The memory's own row; `null` when it was deleted. */
export async function getMemoryRow(db: Kysely<Tables>, memoryId: string): Promise<Memory | null> {
  const row = await db.selectFrom('memories').selectAll().where('id', '=', memoryId).executeTakeFirst()
  return row ?? null
}

/** Notes the languages of a new memory's chunks. */
export async function insertLanguages(
  transaction: Transaction<Tables>,
  memoryId: string,
  languages: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = [...languages].map(([language, chunks]) => ({ memory_id: memoryId, language, chunks }))
  if (rows.length > 0) await transaction.insertInto('memory_languages').values(rows).execute()
}

/** Says that the work an intent names goes on; `false` when it was taken from its owner, and what was written may be gone. */
export async function renewIntent(
  db: Kysely<Tables>,
  { documentId, owner, at }: { documentId: string; owner: string; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('intents')
    .set({ created_at: at })
    .where('document_id', '=', documentId)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function selectStored(db: Kysely<Tables>) {
  return db
    .selectFrom('documents')
    .leftJoin('document_texts', 'document_texts.document_id', 'documents.id')
    .leftJoin('signatures', 'signatures.document_id', 'documents.id')
    .selectAll('documents')
    .select(['document_texts.content', 'signatures.signature'])
}
