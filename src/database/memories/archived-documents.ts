/** Reads documents for an export and writes them for an import, without checking the caller. */
import type { Kysely, Transaction } from 'kysely'
import { unpackText } from '../packed-text.ts'
import type { Document, Memory, Tables } from '../schema.ts'

/** A document with its text and signature. */
export type StoredDocument = Document & {
  /** Text of a small document; `null` if stored as an object. */
  content: string | null
  signature: string | null
}

/** A range of a memory's documents, in order of arrival. */
export type DocumentRange = { memoryId: string; status: Document['status']; afterSeq: number; limit: number }

/** Lists up to `limit` documents of a status that arrived after `afterSeq`. */
export async function listStoredDocuments(
  db: Kysely<Tables>,
  { memoryId, status, afterSeq, limit }: DocumentRange,
): Promise<StoredDocument[]> {
  const rows = await selectStoredDocuments(db)
    .where('documents.memory_id', '=', memoryId)
    .where('documents.status', '=', status)
    .where('documents.seq', '>', afterSeq)
    .orderBy('documents.seq')
    .limit(limit)
    .execute()
  return rows.map(withUnpackedText)
}

/** Lists the existing documents among `ids`, in any state. */
export async function listStoredDocumentsById(db: Kysely<Tables>, ids: readonly string[]): Promise<StoredDocument[]> {
  const rows = await selectStoredDocuments(db).where('documents.id', 'in', ids).orderBy('documents.seq').execute()
  return rows.map(withUnpackedText)
}

function withUnpackedText<Row extends { content: string | Uint8Array | null }>(
  row: Row,
): Row & { content: string | null } {
  return { ...row, content: row.content === null ? null : unpackText(row.content) }
}

/** Columns to detect a changed document. */
export type DocumentState = Pick<Document, 'id' | 'seq' | 'updated_at'>

/** Lists the states of a range of documents. */
export async function listDocumentStates(
  db: Kysely<Tables>,
  { memoryId, status, afterSeq, limit }: DocumentRange,
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

/** Reads the row of a memory; `null` if deleted. */
export async function getMemoryRow(db: Kysely<Tables>, memoryId: string): Promise<Memory | null> {
  const row = await db.selectFrom('memories').selectAll().where('id', '=', memoryId).executeTakeFirst()
  return row ?? null
}

/** Inserts the language counters of a new memory. */
export async function insertLanguages(
  transaction: Transaction<Tables>,
  memoryId: string,
  languages: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = [...languages].map(([language, chunks]) => ({ memory_id: memoryId, language, chunks }))
  if (rows.length > 0) await transaction.insertInto('memory_languages').values(rows).execute()
}

/** Renews an intent; `false` if the intent was reclaimed, and the written data may be deleted. */
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

function selectStoredDocuments(db: Kysely<Tables>) {
  return db
    .selectFrom('documents')
    .leftJoin('document_texts', 'document_texts.document_id', 'documents.id')
    .leftJoin('signatures', 'signatures.document_id', 'documents.id')
    .selectAll('documents')
    .select(['document_texts.content', 'signatures.signature'])
}
