/**
 * Contents of the database, for the doctor's comparison with object store and memory files. Not for
 * callers.
 */
import type { Kysely, Transaction } from 'kysely'
import { fileOfPendingDeletion } from '../deletion/removals-table.ts'
import { unpackOrEmpty } from '../packed-text.ts'
import { type Document, LIVE_STATUSES, type Memory, type Tables } from '../schema.ts'
import { batches } from '../statements.ts'
import { insertTags } from './document-tags-table.ts'
import { deleteBands, insertBands } from './duplicates-table.ts'
import { currentFileOf, lockMemory } from './memories-table.ts'

const INVENTORY_COLUMNS = [
  'id',
  'seq',
  'title',
  'status',
  'source_type',
  'chunk_count',
  'character_count',
  'size_bytes',
  'content_hash',
  'has_source',
  'original_hash',
  'tags',
  'topics',
  'language',
  'updated_at',
] as const

/** Columns to compare with the document's data; `inline` if the text is stored in the database. */
export type InventoryDocument = Pick<Document, (typeof INVENTORY_COLUMNS)[number]> & { inline: boolean }

type Signature = { value: string; bands: readonly string[] }

/** Counters of a memory. */
export type Counters = Pick<Memory, 'document_count' | 'correction_count' | 'chunk_count' | 'storage_bytes'> & {
  /** Chunks by language. */
  languages: Readonly<Record<string, number>>
}

/** Lists up to `limit` memory ids after `after` (initially `''`), in order. */
export async function listMemoryIds(db: Kysely<Tables>, after: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('memories').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Lists all documents of a memory, in any state. */
export async function listInventoryDocuments(db: Kysely<Tables>, memoryId: string): Promise<InventoryDocument[]> {
  const rows = await db
    .selectFrom('documents')
    .leftJoin('document_texts', 'document_texts.document_id', 'documents.id')
    .select([...INVENTORY_COLUMNS, 'document_texts.document_id as text_of'])
    .where('memory_id', '=', memoryId)
    .execute()
  return rows.map(({ text_of, ...row }) => ({ ...row, size_bytes: Number(row.size_bytes), inline: text_of !== null }))
}

/** Reads a document row of any organization; `null` if unknown. */
export async function getStoredDocument(db: Kysely<Tables>, documentId: string): Promise<Document | null> {
  const row = await db.selectFrom('documents').selectAll().where('id', '=', documentId).executeTakeFirst()
  return row ?? null
}

/** True if a job is processing a live document again and will overwrite its chunks. */
export async function isBeingReprocessed(
  db: Kysely<Tables>,
  { status, job_id: jobId }: Pick<Document, 'status' | 'job_id'>,
): Promise<boolean> {
  if (status !== 'partial' || jobId === null) return false
  const job = await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirst()
  return job?.status === 'pending' || job?.status === 'processing'
}

/** Reads texts stored in the database; a damaged text is empty. */
export async function listInlineTexts(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const slice of batches(ids)) {
    const rows = await db
      .selectFrom('document_texts')
      .select(['document_id', 'content'])
      .where('document_id', 'in', slice)
      .execute()
    for (const { document_id, content } of rows) texts.set(document_id, unpackOrEmpty(content))
  }
  return texts
}

/** Reads the tag rows of a memory by document. */
export async function listTagRows(db: Kysely<Tables>, memoryId: string): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom('document_tags')
    .select(['document_id', 'tag'])
    .where('memory_id', '=', memoryId)
    .execute()
  const tags = new Map<string, Set<string>>()
  for (const { document_id, tag } of rows) tags.set(document_id, (tags.get(document_id) ?? new Set()).add(tag))
  return tags
}

/** Lists documents of a memory with a signature but no bands, or bands but no signature. */
export async function listInconsistentFingerprints(db: Kysely<Tables>, memoryId: string): Promise<string[]> {
  const signed = db
    .selectFrom('documents')
    .innerJoin('signatures', 'signatures.document_id', 'documents.id')
    .select('documents.id')
    .where('documents.memory_id', '=', memoryId)
  const banded = db
    .selectFrom('documents')
    .innerJoin('signature_bands', 'signature_bands.document_seq', 'documents.seq')
    .select('documents.id')
    .where('documents.memory_id', '=', memoryId)
  const rows = await Promise.all([signed.except(banded).execute(), banded.except(signed).execute()])
  return rows.flat().map(({ id }) => id)
}

/** Rewrites the tag rows of a document. */
export async function replaceTagRows(
  transaction: Transaction<Tables>,
  { memoryId, documentId, tags }: { memoryId: string; documentId: string; tags: readonly string[] },
): Promise<void> {
  await transaction.deleteFrom('document_tags').where('document_id', '=', documentId).execute()
  await insertTags(transaction, [{ row: { id: documentId, memory_id: memoryId }, tags }])
}

/** Rewrites the fingerprint of a document. */
export async function replaceFingerprint(
  transaction: Transaction<Tables>,
  { document, signature }: { document: Pick<Document, 'id' | 'seq' | 'memory_id'>; signature: Signature | null },
): Promise<void> {
  const { id, seq, memory_id: memoryId } = document
  await transaction.deleteFrom('signatures').where('document_id', '=', id).execute()
  await deleteBands(transaction, seq)
  if (signature === null) return
  await transaction.insertInto('signatures').values({ document_id: id, signature: signature.value }).execute()
  await insertBands(transaction, [{ memoryId, documentSeq: seq, bands: signature.bands }])
}

/**
 * Returns the unreferenced memory ids: no row, no pending deletion, no intent, and no job that
 * creates the memory.
 */
export async function filterOrphanedMemories(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const named = new Set<string>()
  for (const slice of batches(ids)) {
    const removals = db.selectFrom('removals').select('memory_id').where('kind', '=', 'memory')
    const intents = db.selectFrom('intents').select('memory_id')
    const jobs = db
      .selectFrom('jobs')
      .select('memory_id')
      .where('status', 'in', ['pending', 'processing'])
      .where('memory_id', 'in', slice)
    const rows = await db
      .selectFrom('memories')
      .select('id as memory_id')
      .where('id', 'in', slice)
      .unionAll(removals.where('memory_id', 'in', slice))
      .unionAll(intents.where('memory_id', 'in', slice))
      .unionAll(jobs)
      .execute()
    for (const { memory_id } of rows) named.add(memory_id)
  }
  return ids.filter((id) => !named.has(id))
}

/** Lists the memory files in use, in creation or pending deletion. */
export async function listReferencedFiles(db: Kysely<Tables>): Promise<Set<string>> {
  const memories = await db.selectFrom('memories').select(['id', 'file', 'next_file']).execute()
  const removals = await db
    .selectFrom('removals')
    .select(['id', 'kind', 'memory_id'])
    .where('kind', 'in', ['file', 'unfinished', 'memory'])
    .execute()
  return new Set([
    ...memories.flatMap((memory) => [currentFileOf(memory), ...(memory.next_file === null ? [] : [memory.next_file])]),
    ...removals.map((removal) => (removal.kind === 'memory' ? removal.memory_id : fileOfPendingDeletion(removal))),
  ])
}

/**
 * Returns the unreferenced document ids. A single statement, because the commit of an add moves a
 * document from one table to another.
 */
export async function filterOrphanedDocuments(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const named = new Set<string>()
  for (const slice of batches(ids)) {
    const rows = await db
      .selectFrom('documents')
      .select('id')
      .where('id', 'in', slice)
      // The outbox entry of a document has the document's id.
      .unionAll(db.selectFrom('removals').select('id').where('kind', '=', 'document').where('id', 'in', slice))
      .unionAll(db.selectFrom('intents').select('document_id as id').where('document_id', 'in', slice))
      .execute()
    for (const { id } of rows) named.add(id)
  }
  return ids.filter((id) => !named.has(id))
}

/**
 * Returns the stored counters of a memory and the recomputed ones; `null` if the memory does not
 * exist. Locks the memory.
 */
export async function compareCounters(
  transaction: Transaction<Tables>,
  memoryId: string,
): Promise<{ said: Counters; counted: Counters } | null> {
  if (!(await lockMemory(transaction, memoryId))) return null
  const memory = await transaction
    .selectFrom('memories')
    .select(['document_count', 'correction_count', 'chunk_count', 'storage_bytes'])
    .where('id', '=', memoryId)
    .executeTakeFirstOrThrow()
  const languages = await transaction
    .selectFrom('memory_languages')
    .select(['language', 'chunks'])
    .where('memory_id', '=', memoryId)
    .orderBy('language')
    .execute()
  const said = { ...memory, languages: Object.fromEntries(languages.map(({ language, chunks }) => [language, chunks])) }
  return { said, counted: await recountLiveDocuments(transaction, memoryId) }
}

async function recountLiveDocuments(transaction: Transaction<Tables>, memoryId: string): Promise<Counters> {
  const groups = await transaction
    .selectFrom('documents')
    .select((select) => [
      'source_type',
      'language',
      select.fn.countAll<number>().as('documents'),
      select.fn.sum<number | null>('chunk_count').as('chunks'),
      select.fn.sum<number | null>('storage_bytes').as('bytes'),
    ])
    .where('memory_id', '=', memoryId)
    .where('status', 'in', LIVE_STATUSES)
    .groupBy(['source_type', 'language'])
    .orderBy('language')
    .execute()
  const counted = { document_count: 0, correction_count: 0, chunk_count: 0, storage_bytes: 0 }
  const languages: Record<string, number> = {}
  for (const { source_type, language, documents, chunks, bytes } of groups) {
    counted[source_type === 'correction' ? 'correction_count' : 'document_count'] += Number(documents)
    counted.chunk_count += Number(chunks)
    counted.storage_bytes += Number(bytes)
    if (language && Number(chunks) > 0) languages[language] = (languages[language] ?? 0) + Number(chunks)
  }
  return { ...counted, languages }
}

/** Stores the counters of a memory. */
export async function setCounters(
  transaction: Transaction<Tables>,
  memoryId: string,
  { languages, ...counters }: Counters,
): Promise<void> {
  await transaction.updateTable('memories').set(counters).where('id', '=', memoryId).execute()
  await transaction.deleteFrom('memory_languages').where('memory_id', '=', memoryId).execute()
  const rows = Object.entries(languages).map(([language, chunks]) => ({ memory_id: memoryId, language, chunks }))
  if (rows.length > 0) await transaction.insertInto('memory_languages').values(rows).execute()
}
