/**
 * Writes that publish documents. A document is visible if its status is `ready` or `partial`. Data
 * written earlier to the memory file or the object store is covered by an intent, so that a crash
 * leaves no unaccounted data.
 */
import type { Kysely, Transaction } from 'kysely'
import { sumResponseBytes } from '../account/idempotency-table.ts'
import { packText } from '../packed-text.ts'
import type { Document, NewDocument, Tables } from '../schema.ts'
import { batches } from '../statements.ts'
import { insertTags } from './document-tags-table.ts'
import { deleteBands, insertBands } from './duplicates-table.ts'
import { nextRevision } from './memories-table.ts'

/** A document to publish, with its dependent rows. */
export type PublishedDocument = {
  row: NewDocument
  /** Tags not inserted yet. */
  tags: readonly string[]
  /** Text of a small document, optionally packed by `packText`; `null` if stored as an object. */
  inlineText: string | Uint8Array | null
  /** True: keeps the text already in the database. */
  keepsText?: boolean
  /** MinHash signature (base64) with its LSH bands; `null` if the text is too short. */
  signature: { value: string; bands: readonly string[] } | null
}

/**
 * Inserts documents of one memory with tags, texts and signatures; {@link updateDocumentCounters}
 * updates the counters.
 */
export async function insertDocuments(
  transaction: Transaction<Tables>,
  documents: readonly PublishedDocument[],
): Promise<void> {
  const places = new Map<string, number>()
  const revision = await nextRevision(transaction, documents[0]?.row.memory_id ?? '')
  for (const slice of batches(documents)) {
    const insert = transaction.insertInto('documents').values(slice.map(({ row }) => ({ ...row, revision })))
    for (const { id, seq } of await insert.returning(['id', 'seq']).execute()) places.set(id, seq)
    await insertTags(transaction, slice)
    await insertDependentRows(transaction, slice)
  }
  await insertBandsOf(transaction, documents, places)
}

/**
 * Writes the final row of a pending document. Tags, metadata, `enabled` and a given title stay,
 * since callers may have changed them meanwhile. Returns the previous row; `null` if deleted.
 */
export async function completeDocument(
  transaction: Transaction<Tables>,
  document: PublishedDocument,
): Promise<Document | null> {
  const { id, tags: _, metadata: __, enabled: ___, title_given: ____, title, ...rest } = document.row
  const before = await transaction.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
  if (before === undefined) return null
  const patch = before.title_given === 1 ? rest : { ...rest, title }
  const revision = await nextRevision(transaction, before.memory_id)
  await transaction
    .updateTable('documents')
    .set({ ...patch, revision })
    .where('id', '=', id)
    .execute()
  await transaction.deleteFrom('signatures').where('document_id', '=', id).execute()
  await deleteBands(transaction, before.seq)
  if (document.keepsText !== true) {
    await transaction.deleteFrom('document_texts').where('document_id', '=', id).execute()
  }
  await insertDependentRows(transaction, [document])
  await insertBandsOf(transaction, [document], new Map([[id, before.seq]]))
  return before
}

/** Columns that count in the memory. */
export type CountedDocument = Pick<NewDocument, 'source_type' | 'chunk_count' | 'storage_bytes' | 'language'>

/**
 * Adds documents to the counters of their locked memory (`times` 1) or subtracts them (-1). `false`
 * if the memory was deleted: the transaction must not commit.
 */
export async function updateDocumentCounters(
  transaction: Transaction<Tables>,
  { memoryId, documents, times }: { memoryId: string; documents: readonly CountedDocument[]; times: 1 | -1 },
  at: string,
): Promise<boolean> {
  const corrections = documents.filter((row) => row.source_type === 'correction')
  const others = documents.filter((row) => row.source_type !== 'correction')
  const chunks = times * documents.reduce((total, row) => total + row.chunk_count, 0)
  const bytes = times * documents.reduce((total, row) => total + row.storage_bytes, 0)
  const { numUpdatedRows } = await transaction
    .updateTable('memories')
    .set((memory) => ({
      document_count: memory('document_count', '+', times * others.length),
      correction_count: memory('correction_count', '+', times * corrections.length),
      chunk_count: memory('chunk_count', '+', chunks),
      storage_bytes: memory('storage_bytes', '+', bytes),
      updated_at: at,
    }))
    .where('id', '=', memoryId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await updateLanguageCounters(transaction, memoryId, { documents, times })
  return numUpdatedRows > 0n
}

/** Lists the memory's documents with these external ids, in any state. */
export async function listDocumentsByExternalIds(
  db: Kysely<Tables>,
  memoryId: string,
  externalIds: readonly string[],
): Promise<Document[]> {
  const found: Document[] = []
  for (const slice of batches(externalIds)) {
    const query = db.selectFrom('documents').selectAll().where('memory_id', '=', memoryId)
    found.push(...(await query.where('external_id', 'in', slice).execute()))
  }
  return found
}

/**
 * Bytes that count against an organization's plan: all memories, and the responses stored for a day
 * (`database/account/idempotency-table.ts`).
 */
export async function getStorageBytes(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('memories')
    .select((select) => select.fn.sum<number | string | null>('storage_bytes').as('bytes'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(row.bytes ?? 0) + (await sumResponseBytes(db, organizationId))
}

async function insertDependentRows(
  transaction: Transaction<Tables>,
  documents: readonly PublishedDocument[],
): Promise<void> {
  const texts = documents.flatMap(({ row, inlineText }) => {
    if (inlineText === null) return []
    const content = typeof inlineText === 'string' ? packText(transaction, inlineText) : inlineText
    return [{ document_id: row.id, content }]
  })
  const signatures = documents.flatMap(({ row, signature }) =>
    signature === null ? [] : [{ document_id: row.id, signature: signature.value }],
  )
  for (const slice of batches(texts)) await transaction.insertInto('document_texts').values(slice).execute()
  for (const slice of batches(signatures)) await transaction.insertInto('signatures').values(slice).execute()
}

/** `places`: sequence numbers by document id. */
function insertBandsOf(
  transaction: Transaction<Tables>,
  documents: readonly PublishedDocument[],
  places: ReadonlyMap<string, number>,
): Promise<void> {
  const banded = documents.flatMap(({ row, signature }) =>
    signature === null ? [] : [{ memoryId: row.memory_id, documentSeq: seqOf(row.id, places), bands: signature.bands }],
  )
  return insertBands(transaction, banded)
}

function seqOf(documentId: string, places: ReadonlyMap<string, number>): number {
  const place = places.get(documentId)
  if (place === undefined) throw new Error(`document ${documentId} has no sequence number`)
  return place
}

async function updateLanguageCounters(
  transaction: Transaction<Tables>,
  memoryId: string,
  { documents, times }: { documents: readonly CountedDocument[]; times: 1 | -1 },
): Promise<void> {
  const chunks = new Map<string, number>()
  for (const { language, chunk_count } of documents) {
    if (language) chunks.set(language, (chunks.get(language) ?? 0) + chunk_count)
  }
  for (const [language, count] of chunks) {
    await transaction
      .insertInto('memory_languages')
      .values({ memory_id: memoryId, language, chunks: times * count })
      .onConflict((conflict) =>
        conflict
          .columns(['memory_id', 'language'])
          .doUpdateSet((update) => ({ chunks: update('memory_languages.chunks', '+', times * count) })),
      )
      .execute()
  }
  if (times === 1) return
  // Remove unused languages: a query is analysed in every listed language.
  await transaction.deleteFrom('memory_languages').where('memory_id', '=', memoryId).where('chunks', '<=', 0).execute()
}

/** Lists the documents of a job that still have to be read, in order of arrival. */
export function listDocumentsOfJob(db: Kysely<Tables>, jobId: string): Promise<Document[]> {
  return db
    .selectFrom('documents')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('status', 'in', ['pending', 'processing', 'partial'])
    .orderBy('seq')
    .execute()
}

export type StatusChange = { to: Document['status']; at: string; error?: string | null }

/** Sets the status of all documents of a job with a status in `from`. */
export async function setDocumentsStatus(
  db: Kysely<Tables>,
  { jobId, from, ...mark }: StatusChange & { jobId: string; from: readonly Document['status'][] },
): Promise<void> {
  await db
    .updateTable('documents')
    .set(statusColumns(mark))
    .where('job_id', '=', jobId)
    .where('status', 'in', from)
    .execute()
}

/** Sets the status of a document. */
export async function setDocumentStatus(
  db: Kysely<Tables>,
  { id, ...mark }: StatusChange & { id: string },
): Promise<void> {
  await db.updateTable('documents').set(statusColumns(mark)).where('id', '=', id).execute()
}

/** Sets what a download has shown of its document; a given title stays. */
export async function setDownloadedFile(
  db: Kysely<Tables>,
  id: string,
  file: { filename: string | null; mimeType: string; sizeBytes: number; title: string },
): Promise<void> {
  await db
    .updateTable('documents')
    .set(({ case: choose, ref }) => ({
      filename: file.filename,
      mime_type: file.mimeType,
      size_bytes: file.sizeBytes,
      title: choose().when('title_given', '=', 1).then(ref('title')).else(file.title).end(),
    }))
    .where('id', '=', id)
    .execute()
}

/** Sets the embedding model of a job's documents. */
export async function setEmbeddingModel(db: Kysely<Tables>, jobId: string, embeddingModel: string): Promise<void> {
  await db.updateTable('documents').set({ embedding_model: embeddingModel }).where('job_id', '=', jobId).execute()
}

function statusColumns({ to, at, error }: StatusChange) {
  return { status: to, updated_at: at, ...(error === undefined ? {} : { error }) }
}
