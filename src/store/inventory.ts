/** What the database says is there, for the doctor, who compares it with the object store and the memory files. Nothing here answers a caller. */
import type { Kysely, Transaction } from 'kysely'
import { LIVE } from './documents.ts'
import { lockMemory } from './memories.ts'
import type { Document, Memory, Tables } from './schema.ts'
import { slices } from './slices.ts'

/** Of a document, what its data is compared with; `inline` is true where its text stands in the database. */
export type DocumentStock = Pick<Document, 'id' | 'title' | 'status' | 'chunk_count' | 'has_source' | 'updated_at'> & {
  inline: boolean
}

/** What a memory counts. */
export type Counters = Pick<Memory, 'document_count' | 'correction_count' | 'chunk_count' | 'storage_bytes'> & {
  /** Chunks by language. */
  languages: Readonly<Record<string, number>>
}

/** Identifiers of at most `limit` memories after this one, at first `''`, in order. */
export async function listMemoryIds(db: Kysely<Tables>, after: string, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('memories').select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** All documents of a memory, in whatever state. */
export async function listStock(db: Kysely<Tables>, memoryId: string): Promise<DocumentStock[]> {
  const rows = await db
    .selectFrom('documents')
    .leftJoin('document_texts', 'document_texts.document_id', 'documents.id')
    .select([
      'id',
      'title',
      'status',
      'chunk_count',
      'has_source',
      'updated_at',
      'document_texts.document_id as text_of',
    ])
    .where('memory_id', '=', memoryId)
    .execute()
  return rows.map(({ text_of, ...row }) => ({ ...row, inline: text_of !== null }))
}

/** Of these memories those that nothing names: no row, no removal under way, nothing being written, no job that is to make one. */
export async function listForgottenMemories(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const named = new Set<string>()
  for (const slice of slices(ids)) {
    const rows = await Promise.all([
      db.selectFrom('memories').select('id as memory_id').where('id', 'in', slice).execute(),
      db
        .selectFrom('removals')
        .select('memory_id')
        .where('kind', '=', 'memory')
        .where('memory_id', 'in', slice)
        .execute(),
      db.selectFrom('intents').select('memory_id').where('memory_id', 'in', slice).execute(),
      db
        .selectFrom('jobs')
        .select('memory_id')
        .where('status', 'in', ['pending', 'processing'])
        .where('memory_id', 'in', slice)
        .execute(),
    ])
    for (const { memory_id } of rows.flat()) named.add(memory_id)
  }
  return ids.filter((id) => !named.has(id))
}

/** The same of documents. */
export async function listForgottenDocuments(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const named = new Set<string | null>()
  for (const slice of slices(ids)) {
    const rows = await Promise.all([
      db.selectFrom('documents').select('id as document_id').where('id', 'in', slice).execute(),
      db
        .selectFrom('removals')
        .select('document_id')
        .where('kind', '=', 'document')
        .where('document_id', 'in', slice)
        .execute(),
      db.selectFrom('intents').select('document_id').where('document_id', 'in', slice).execute(),
    ])
    for (const { document_id } of rows.flat()) named.add(document_id)
  }
  return ids.filter((id) => !named.has(id))
}

/** What the memory says that it counts, and what its live documents make; `null` when there is no such memory. Locks the memory. */
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
  return { said, counted: await countLive(transaction, memoryId) }
}

async function countLive(transaction: Transaction<Tables>, memoryId: string): Promise<Counters> {
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
    .where('status', 'in', LIVE)
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

/** Makes the memory count so. */
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
