/**
 * The writes that make documents show. A document is visible when its row says `ready` or `partial`; what stands in the
 * memory file or the object store before that is named by an intent, so that a crash leaves nothing unaccounted.
 */
import type { Kysely, Transaction } from 'kysely'
import { sumKeptBytes } from '../account/idempotency-table.ts'
import { packText } from '../packed-text.ts'
import type { Document, NewDocument, Tables } from '../schema.ts'
import { slices } from '../statements.ts'
import { insertTags } from './document-tags-table.ts'
import { deleteBands, insertBands } from './duplicates-table.ts'

/** A document as it is published, with what hangs on its row. */
export type PublishedDocument = {
  row: NewDocument
  /** Those that are not noted yet. */
  tags: readonly string[]
  /** The extracted text of a small document, also as `packText` gives it; `null` where it is an object. */
  inlineText: string | Uint8Array | null
  /** True: the text that stands in the database already is the document's, and stays. */
  keepsText?: boolean
  /** MinHash signature (base64) and its LSH bands, `null` where the text is too short for one. */
  signature: { value: string; bands: readonly string[] } | null
}

/** Inserts documents with their tags, texts and signatures; what they count is {@link countDocuments}' matter. */
export async function insertDocuments(
  transaction: Transaction<Tables>,
  documents: readonly PublishedDocument[],
): Promise<void> {
  const places = new Map<string, number>()
  for (const slice of slices(documents)) {
    const insert = transaction.insertInto('documents').values(slice.map(({ row }) => row))
    for (const { id, seq } of await insert.returning(['id', 'seq']).execute()) places.set(id, seq)
    await insertTags(transaction, slice)
    await insertParts(transaction, slice)
  }
  await insertBandsOf(transaction, documents, places)
}

/** Gives a document that waited for its job its final row; its tags stay as they are. The row as it was before; `null` when it was deleted meanwhile. */
export async function completeDocument(
  transaction: Transaction<Tables>,
  document: PublishedDocument,
): Promise<Document | null> {
  const { id, ...patch } = document.row
  const before = await transaction.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
  if (before === undefined) return null
  await transaction.updateTable('documents').set(patch).where('id', '=', id).execute()
  await transaction.deleteFrom('signatures').where('document_id', '=', id).execute()
  await deleteBands(transaction, before.seq)
  if (document.keepsText !== true) {
    await transaction.deleteFrom('document_texts').where('document_id', '=', id).execute()
  }
  await insertParts(transaction, [document])
  await insertBandsOf(transaction, [document], new Map([[id, before.seq]]))
  return before
}

/** What a document counts in its memory. */
export type CountedDocument = Pick<NewDocument, 'source_type' | 'chunk_count' | 'storage_bytes' | 'language'>

/**
 * Adds (`times` 1) what these documents count to their memory, or takes it away (-1); the memory must be locked.
 * `false` when the memory was deleted meanwhile: the transaction must not commit then.
 */
export async function countDocuments(
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
  if (numUpdatedRows > 0n) await countLanguages(transaction, memoryId, { documents, times })
  return numUpdatedRows > 0n
}

/** Every document of the memory with one of these external ids, in whatever state. */
export async function listByExternalIds(
  db: Kysely<Tables>,
  memoryId: string,
  externalIds: readonly string[],
): Promise<Document[]> {
  const found: Document[] = []
  for (const slice of slices(externalIds)) {
    const query = db.selectFrom('documents').selectAll().where('memory_id', '=', memoryId)
    found.push(...(await query.where('external_id', 'in', slice).execute()))
  }
  return found
}

/** Bytes that count against the plan of an organization, over all its memories, and what is kept of its answers for a day (`database/account/idempotency-table.ts`). */
export async function getStorageBytes(db: Kysely<Tables>, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('memories')
    .select((select) => select.fn.sum<number | string | null>('storage_bytes').as('bytes'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return Number(row.bytes ?? 0) + (await sumKeptBytes(db, organizationId))
}

async function insertParts(transaction: Transaction<Tables>, documents: readonly PublishedDocument[]): Promise<void> {
  const texts = documents.flatMap(({ row, inlineText }) => {
    if (inlineText === null) return []
    const content = typeof inlineText === 'string' ? packText(transaction, inlineText) : inlineText
    return [{ document_id: row.id, content }]
  })
  const signatures = documents.flatMap(({ row, signature }) =>
    signature === null ? [] : [{ document_id: row.id, signature: signature.value }],
  )
  for (const slice of slices(texts)) await transaction.insertInto('document_texts').values(slice).execute()
  for (const slice of slices(signatures)) await transaction.insertInto('signatures').values(slice).execute()
}

/** `places`: the documents' numbers in the order of arrival, by identifier. */
function insertBandsOf(
  transaction: Transaction<Tables>,
  documents: readonly PublishedDocument[],
  places: ReadonlyMap<string, number>,
): Promise<void> {
  const banded = documents.flatMap(({ row, signature }) =>
    signature === null
      ? []
      : [{ memoryId: row.memory_id, documentSeq: placeOf(row.id, places), bands: signature.bands }],
  )
  return insertBands(transaction, banded)
}

function placeOf(documentId: string, places: ReadonlyMap<string, number>): number {
  const place = places.get(documentId)
  if (place === undefined) throw new Error(`document ${documentId} was given no number`)
  return place
}

async function countLanguages(
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
  // A query is analysed in every language that stands there.
  await transaction.deleteFrom('memory_languages').where('memory_id', '=', memoryId).where('chunks', '<=', 0).execute()
}

/** Live and waiting documents of a job that its handler still has to read, in order of arrival. */
export function listDocumentsOfJob(db: Kysely<Tables>, jobId: string): Promise<Document[]> {
  return db
    .selectFrom('documents')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('status', 'in', ['pending', 'processing', 'partial'])
    .orderBy('seq')
    .execute()
}

export type DocumentMark = { to: Document['status']; at: string; error?: string | null }

/** Moves all documents of a job that stand in one of the states `from`. */
export async function markDocuments(
  db: Kysely<Tables>,
  { jobId, from, ...mark }: DocumentMark & { jobId: string; from: readonly Document['status'][] },
): Promise<void> {
  await db.updateTable('documents').set(marked(mark)).where('job_id', '=', jobId).where('status', 'in', from).execute()
}

/** Moves one document. */
export async function markDocument(db: Kysely<Tables>, { id, ...mark }: DocumentMark & { id: string }): Promise<void> {
  await db.updateTable('documents').set(marked(mark)).where('id', '=', id).execute()
}

/** Says of what model the vectors of a job's documents will be. */
export async function setEmbeddingModel(db: Kysely<Tables>, jobId: string, embeddingModel: string): Promise<void> {
  await db.updateTable('documents').set({ embedding_model: embeddingModel }).where('job_id', '=', jobId).execute()
}

function marked({ to, at, error }: DocumentMark) {
  return { status: to, updated_at: at, ...(error === undefined ? {} : { error }) }
}
