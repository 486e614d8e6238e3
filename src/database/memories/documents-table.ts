/**
 * Reading and removing documents. Functions that answer a caller have the organization in their WHERE. Lists are
 * counted over an index alone: 6 ms for 100,000 documents.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import { toNfc } from '../../text/characters.ts'
import { forgetComputedAnswers } from '../account/idempotency-table.ts'
import { forgetFileName } from '../deletion/deleted-work.ts'
import { insertRemovals } from '../deletion/removals-table.ts'
import { unpackText } from '../packed-text.ts'
import { type Document, LIVE, type Tables } from '../schema.ts'
import { slices } from '../statements.ts'
import { countDocuments } from './document-writes.ts'
import { getFiles } from './memories-table.ts'
import { noteChanges } from './reembedding-table.ts'

/** Tagged documents counted in one statement: 100,000 take 35 ms, and everyone waits as long. */
const TAGGED_A_STATEMENT = 20_000

/** Which document a caller means; all three have to agree. */
export type DocumentKey = { organizationId: string; memoryId: string; documentId: string }

/** Which documents a list has: `null` is no filter, but without `sourceType` corrections are left out. */
type DocumentListing = {
  memoryId: string
  status: Document['status'] | null
  tag: string | null
  sourceType: Document['source_type'] | null
}

/** A page of a list: at most `limit` documents after the last one of the page before. */
type DocumentPage = DocumentListing & { after: { seq: number; id: string } | null; limit: number }

/** All that lists show of a document: a receipt of its pages has megabytes where they are many, and a page of a list a hundred documents. */
const LISTED = [
  'documents.id',
  'documents.organization_id',
  'documents.memory_id',
  'documents.seq',
  'documents.external_id',
  'documents.title',
  'documents.filename',
  'documents.mime_type',
  'documents.source_type',
  'documents.url',
  'documents.tags',
  'documents.metadata',
  'documents.status',
  'documents.size_bytes',
  'documents.page_count',
  'documents.ocr_pages',
  'documents.chunk_count',
  'documents.character_count',
  'documents.content_hash',
  'documents.embedding_model',
  'documents.has_source',
  'documents.job_id',
  'documents.error',
  'documents.statement',
  'documents.topics',
  'documents.boost',
  'documents.created_by',
  'documents.expires_at',
  'documents.outranked',
  'documents.outranked_at',
  'documents.created_at',
  'documents.updated_at',
] as const

/** A document as a list has it. */
export type ListedDocument = Omit<Document, 'pages' | 'storage_bytes' | 'language' | 'original_hash'>

/** The document, or `null` when the caller has none like it. */
export async function getDocument(
  db: Kysely<Tables>,
  { organizationId, memoryId, documentId }: DocumentKey,
): Promise<Document | null> {
  const found = await db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', documentId)
    .where('memory_id', '=', memoryId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return found ?? null
}

/** Those of these documents that are not there. */
export async function listMissingDocuments(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const there = new Set<string>()
  for (const slice of slices(ids)) {
    const rows = await db.selectFrom('documents').select('id').where('id', 'in', slice).execute()
    for (const { id } of rows) there.add(id)
  }
  return ids.filter((id) => !there.has(id))
}

/** The extracted text of a small document, `null` where it is an object of the object store. */
export async function getInlineText(db: Kysely<Tables>, documentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('document_texts')
    .select('content')
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row === undefined ? null : unpackText(row.content)
}

/**
 * At most `limit` documents of a memory, newest first: by arrival, or by identifier where a tag filters (its index has
 * that order, and sorting 100,000 documents for a page would hold everyone up).
 */
export function listDocuments(db: Kysely<Tables>, page: DocumentPage): Promise<ListedDocument[]> {
  const { memoryId, tag, after, limit } = page
  const matching = db.selectFrom('documents').select(LISTED).where(matches(page)).limit(limit)
  if (tag === null) {
    return matching
      .where('documents.memory_id', '=', memoryId)
      .$if(after !== null, (older) => older.where('documents.seq', '<', after?.seq ?? 0))
      .orderBy('documents.seq', 'desc')
      .execute()
  }
  return matching
    .innerJoin('document_tags', 'document_tags.document_id', 'documents.id')
    .where('document_tags.memory_id', '=', memoryId)
    .where('document_tags.tag', '=', toNfc(tag))
    .$if(after !== null, (older) => older.where('document_tags.document_id', '<', after?.id ?? ''))
    .orderBy('document_tags.document_id', 'desc')
    .execute()
}

/** How many documents all pages of a list have together. */
export async function countListedDocuments(db: Kysely<Tables>, listing: DocumentListing): Promise<number> {
  if (listing.tag !== null) return countTagged(db, listing, listing.tag)
  const { total } = await db
    .selectFrom('documents')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('documents.memory_id', '=', listing.memoryId)
    .where(matches(listing))
    .executeTakeFirstOrThrow()
  return Number(total)
}

async function countTagged(db: Kysely<Tables>, listing: DocumentListing, tag: string): Promise<number> {
  let total = 0
  let from: string | null = ''
  while (from !== null) {
    const slice = db
      .selectFrom('document_tags')
      .select('document_id')
      .where('memory_id', '=', listing.memoryId)
      .where('tag', '=', toNfc(tag))
      .where('document_id', '>', from)
      .orderBy('document_id')
      .limit(TAGGED_A_STATEMENT)
    const counted: { count: number; last: string | null } = await db
      .selectFrom(slice.as('slice'))
      .innerJoin('documents', 'documents.id', 'slice.document_id')
      .select((select) => [
        select.fn.countAll<number>().filterWhere(matches(listing)).as('count'),
        select.fn.max<string | null>('slice.document_id').as('last'),
      ])
      .executeTakeFirstOrThrow()
    total += Number(counted.count)
    from = counted.last
    await nextTurn()
  }
  return total
}

/** The filters of a list; the corrections' is written as a literal, or the partial index could not serve it. */
function matches({ status, sourceType }: DocumentListing) {
  return (where: ExpressionBuilder<Tables, 'documents'>) =>
    where.and([
      sourceType === null
        ? where('documents.source_type', '<>', sql.lit('correction'))
        : where('documents.source_type', '=', sourceType),
      ...(status === null ? [] : [where('documents.status', '=', status)]),
    ])
}

/**
 * Removes rows of documents of one memory, with tags, texts and signatures, and what they count. They must have been read in the same
 * transaction, after their memory was locked. Returns the identifiers of the removals that name what is left in the memory file and the object store, to
 * be carried out after the commit.
 */
export async function removeDocumentRows(
  transaction: Transaction<Tables>,
  documents: readonly Document[],
  now: Date,
): Promise<string[]> {
  const [first] = documents
  if (first === undefined) return []
  const memoryId = first.memory_id
  const removed = await deleteRows(transaction, documents)
  await forgetComputedAnswers(transaction, memoryId)
  const jobs = new Set(removed.flatMap(({ job_id }) => job_id ?? []))
  for (const jobId of jobs) await forgetFileName(transaction, jobId)
  const live = removed.filter(({ status }) => LIVE.includes(status))
  if (live.length > 0) {
    await countDocuments(transaction, { memoryId, documents: live, times: -1 }, now.toISOString())
    const memory = await getFiles(transaction, memoryId)
    const ids = live.map(({ id }) => id)
    if (memory !== null && memory.next_file !== null) await noteChanges(transaction, memory.next_file, ids)
  }
  const leftovers = removed.map(({ id, job_id: jobId }) => {
    return { kind: 'document', memoryId, documentId: id, jobId, now } as const
  })
  await insertRemovals(transaction, leftovers)
  return documents.map(({ id }) => id)
}

/** Those of the documents whose rows were still there. */
async function deleteRows(transaction: Transaction<Tables>, documents: readonly Document[]): Promise<Document[]> {
  const deleted = new Set<string>()
  for (const slice of slices(documents.map(({ id }) => id))) {
    const rows = await transaction.deleteFrom('documents').where('id', 'in', slice).returning('id').execute()
    for (const { id } of rows) deleted.add(id)
  }
  return documents.filter(({ id }) => deleted.has(id))
}

/** A document that someone named; `isLive` when searches show it. */
export type KnownDocument = { id: string; isLive: boolean }

/** Of these documents of a memory those that are there. Of several with one external id (one is about to replace the other) the one that shows. */
export async function listKnownDocuments(
  db: Kysely<Tables>,
  memoryId: string,
  { ids, externalIds }: { ids: readonly string[]; externalIds: readonly string[] },
): Promise<{ byId: Map<string, KnownDocument>; byExternalId: Map<string, KnownDocument> }> {
  const byId = new Map<string, KnownDocument>()
  const byExternalId = new Map<string, KnownDocument>()
  const named = (column: 'id' | 'external_id', slice: readonly string[]) =>
    db
      .selectFrom('documents')
      .select(['id', 'external_id', 'status'])
      .where('memory_id', '=', memoryId)
      .where(column, 'in', slice)
      .execute()
  for (const slice of slices(ids)) {
    for (const { id, status } of await named('id', slice)) byId.set(id, { id, isLive: LIVE.includes(status) })
  }
  for (const slice of slices(externalIds)) {
    for (const { id, external_id: name, status } of await named('external_id', slice)) {
      const isLive = LIVE.includes(status)
      if (name !== null && (isLive || !byExternalId.has(name))) byExternalId.set(name, { id, isLive })
    }
  }
  return { byId, byExternalId }
}
