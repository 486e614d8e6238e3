/**
 * Table `documents`: reads and deletions. Functions for callers filter by organization. Counting a
 * list uses a covering index: 6 ms for 100,000 documents.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { toNfc } from '../../text/characters.ts'
import { deleteComputedResponses } from '../account/idempotency-table.ts'
import { redactFilename } from '../deletion/jobs-of-deleted-data.ts'
import { enqueueDeletions } from '../deletion/removals-table.ts'
import { unpackText } from '../packed-text.ts'
import { CHECKED_COLUMNS } from '../row-checksums.ts'
import { type Document, LIVE_STATUSES, type Tables } from '../schema.ts'
import { batches, type CreationFilter, containsText } from '../statements.ts'
import { updateDocumentCounters } from './document-writes.ts'
import { getFilesOfMemory, nextRevision } from './memories-table.ts'
import { recordChanges } from './reembedding-table.ts'

/** Tagged documents counted per statement: 100,000 take 35 ms and block the event loop. */
const TAGGED_PER_STATEMENT = 20_000

/** Key of a document in a request; all three parts must match. */
export type DocumentKey = { organizationId: string; memoryId: string; documentId: string }

/**
 * Filters of a list; `null` disables a filter, but without `sourceType` corrections are excluded.
 */
type DocumentListing = {
  memoryId: string
  status: Document['status'] | null
  tag: string | null
  sourceType: Document['source_type'] | null
}

/** Further filters of a list, which have no index; `null` or absent disables a filter. */
export type UnindexedFilter = CreationFilter & {
  /** Part of the title or of the file name. */
  name?: string | null | undefined
  /** Part of the text. */
  title?: string | null | undefined
  filename?: string | null | undefined
  externalId?: string | null | undefined
}

/** A page of a list: up to `limit` documents after `after`. */
type DocumentPage = DocumentListing & { after: { seq: number; id: string } | null; limit: number }

/** Columns that lists leave out. The page reports of one document can have megabytes. */
const UNLISTED = ['pages', 'storage_bytes', 'language', 'original_hash', 'title_given'] as const
type UnlistedColumn = (typeof UNLISTED)[number]
type ListedColumn = Exclude<(typeof CHECKED_COLUMNS.documents)[number], UnlistedColumn>
const isListed = (column: string): column is ListedColumn => !UNLISTED.includes(column as UnlistedColumn)
const LISTED_COLUMNS = CHECKED_COLUMNS.documents.filter(isListed).map((column) => `documents.${column}` as const)

/** A document as a list has it. */
export type ListedDocument = Omit<Document, UnlistedColumn | 'revision'>

/** Reads a document; `null` if not visible to the caller. */
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

/**
 * Reads a document; throws `document_not_found` for a malformed id and for documents that the
 * caller may not see.
 */
export async function requireDocument(db: Kysely<Tables>, key: DocumentKey): Promise<Document> {
  const document = isId('doc', key.documentId) ? await getDocument(db, key) : null
  if (document === null) throw new ApiError('document_not_found')
  return document
}

/** Reads the documents of a memory with these ids, in any state. */
export async function listDocumentsById(
  db: Kysely<Tables>,
  memoryId: string,
  ids: readonly string[],
): Promise<Document[]> {
  if (ids.length === 0) return []
  return db.selectFrom('documents').selectAll().where('id', 'in', ids).where('memory_id', '=', memoryId).execute()
}

/** Returns those of `ids` without a document. */
export async function listMissingDocuments(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const there = new Set<string>()
  for (const slice of batches(ids)) {
    const rows = await db.selectFrom('documents').select('id').where('id', 'in', slice).execute()
    for (const { id } of rows) there.add(id)
  }
  return ids.filter((id) => !there.has(id))
}

/** Text of a small document; `null` if stored as an object. */
export async function getInlineText(db: Kysely<Tables>, documentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('document_texts')
    .select('content')
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row === undefined ? null : unpackText(row.content)
}

/**
 * Lists up to `limit` documents of a memory, newest first: in order of arrival, or by id when
 * filtered by tag. The tag index has id order, and sorting 100,000 documents per page would block
 * other requests.
 */
export function listDocuments(db: Kysely<Tables>, page: DocumentPage): Promise<ListedDocument[]> {
  const { memoryId, tag, after, limit } = page
  const matching = db.selectFrom('documents').select(LISTED_COLUMNS).where(matchesFilters(page)).limit(limit)
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

/** Counts the documents of a list. */
export async function countListedDocuments(db: Kysely<Tables>, listing: DocumentListing): Promise<number> {
  if (listing.tag !== null) return countTagged(db, listing, listing.tag)
  const { total } = await db
    .selectFrom('documents')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('documents.memory_id', '=', listing.memoryId)
    .where(matchesFilters(listing))
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
      .limit(TAGGED_PER_STATEMENT)
    const counted: { count: number; last: string | null } = await db
      .selectFrom(slice.as('slice'))
      .innerJoin('documents', 'documents.id', 'slice.document_id')
      .select((select) => [
        select.fn.countAll<number>().filterWhere(matchesFilters(listing)).as('count'),
        select.fn.max<string | null>('slice.document_id').as('last'),
      ])
      .executeTakeFirstOrThrow()
    total += Number(counted.count)
    from = counted.last
    await nextTurn()
  }
  return total
}

/** Documents per slice of a scan, about 10 ms. */
const DOCUMENTS_PER_SLICE = 5000

/** A page of a scan; `passes` tests the id of a document. */
type ScannedPage = Pick<DocumentPage, 'after' | 'limit'> & {
  isAscending: boolean
  passes: (documentId: string) => boolean
}

/**
 * Lists a page of the documents that meet filters without an index, and counts all. Reads the
 * documents of the memory in slices, so that other requests continue.
 */
export async function scanDocuments(
  db: Kysely<Tables>,
  listing: DocumentListing & UnindexedFilter,
  { after, limit, isAscending, passes }: ScannedPage,
): Promise<{ documents: ListedDocument[]; total: number }> {
  const [beyond, until, order] = isAscending ? (['>', '<=', 'asc'] as const) : (['<', '>=', 'desc'] as const)
  const ids: string[] = []
  let total = 0
  for (let from: number | null = null; ; ) {
    const end = await findEndOfSlice(db, listing.memoryId, { from, isAscending })
    if (end === null) break
    const matching = db
      .selectFrom('documents')
      .where('memory_id', '=', listing.memoryId)
      .$if(from !== null, (rows) => rows.where('seq', beyond, from ?? 0))
      .where('seq', until, end)
      .where(matchesFilters(listing))
      .where(matchesUnindexed(listing))
    for (const { id, seq } of await matching.select(['id', 'seq']).orderBy('seq', order).execute()) {
      if (!passes(id)) continue
      total += 1
      const isNext = after === null || (isAscending ? seq > after.seq : seq < after.seq)
      if (isNext && ids.length < limit) ids.push(id)
    }
    from = end
    await nextTurn()
  }
  const page = db.selectFrom('documents').select(LISTED_COLUMNS).where('documents.id', 'in', ids)
  const documents = ids.length === 0 ? [] : await page.orderBy('documents.seq', order).execute()
  return { documents, total }
}

/** Position of the last document of a slice of a memory; `null` after the last slice. */
async function findEndOfSlice(
  db: Kysely<Tables>,
  memoryId: string,
  { from, isAscending }: { from: number | null; isAscending: boolean },
): Promise<number | null> {
  const slice = db
    .selectFrom('documents')
    .select('seq')
    .where('memory_id', '=', memoryId)
    .$if(from !== null, (rows) => rows.where('seq', isAscending ? '>' : '<', from ?? 0))
    .orderBy('seq', isAscending ? 'asc' : 'desc')
    .limit(DOCUMENTS_PER_SLICE)
  const { end } = await db
    .selectFrom(slice.as('slice'))
    .select(({ fn }) => (isAscending ? fn.max<number | null>('seq') : fn.min<number | null>('seq')).as('end'))
    .executeTakeFirstOrThrow()
  return end === null ? null : Number(end)
}

function matchesUnindexed({ name, title, filename, externalId, createdAfter, createdBefore }: UnindexedFilter) {
  return (where: ExpressionBuilder<Tables, 'documents'>) =>
    where.and([
      ...(name ? [where.or([containsText('documents.title', name), containsText('documents.filename', name)])] : []),
      ...(title ? [containsText('documents.title', title)] : []),
      ...(filename ? [containsText('documents.filename', filename)] : []),
      ...(externalId ? [where('documents.external_id', '=', externalId)] : []),
      ...(createdAfter ? [where('documents.created_at', '>', createdAfter)] : []),
      ...(createdBefore ? [where('documents.created_at', '<', createdBefore)] : []),
    ])
}

/** Filters of a list. The correction filter is a literal, as the partial index requires. */
function matchesFilters({ status, sourceType }: DocumentListing) {
  return (where: ExpressionBuilder<Tables, 'documents'>) =>
    where.and([
      sourceType === null
        ? where('documents.source_type', '<>', sql.lit('correction'))
        : where('documents.source_type', '=', sourceType),
      ...(status === null ? [] : [where('documents.status', '=', status)]),
    ])
}

/**
 * Deletes document rows of one memory, with tags, texts, signatures and counters. The rows must
 * have been read in the same transaction, under the memory's lock. Returns ids of deletion outbox
 * entries, to process after the commit.
 */
export async function deleteDocumentRows(
  transaction: Transaction<Tables>,
  documents: readonly Document[],
  now: Date,
): Promise<string[]> {
  const [first] = documents
  if (first === undefined) return []
  const memoryId = first.memory_id
  const removed = await deleteExistingRows(transaction, documents)
  await deleteComputedResponses(transaction, memoryId)
  const jobs = new Set(removed.flatMap(({ job_id }) => job_id ?? []))
  for (const jobId of jobs) await redactFilename(transaction, jobId)
  const live = removed.filter(({ status }) => LIVE_STATUSES.includes(status))
  if (live.length > 0) {
    await nextRevision(transaction, memoryId)
    await updateDocumentCounters(transaction, { memoryId, documents: live, times: -1 }, now.toISOString())
    const memory = await getFilesOfMemory(transaction, memoryId)
    const ids = live.map(({ id }) => id)
    if (memory !== null && memory.next_file !== null) await recordChanges(transaction, memory.next_file, ids)
  }
  const leftovers = removed.map(({ id, job_id: jobId }) => {
    return { kind: 'document', memoryId, documentId: id, jobId, now } as const
  })
  await enqueueDeletions(transaction, leftovers)
  return documents.map(({ id }) => id)
}

/** Returns the documents whose rows still existed. */
async function deleteExistingRows(
  transaction: Transaction<Tables>,
  documents: readonly Document[],
): Promise<Document[]> {
  const deleted = new Set<string>()
  for (const slice of batches(documents.map(({ id }) => id))) {
    const rows = await transaction.deleteFrom('documents').where('id', 'in', slice).returning('id').execute()
    for (const { id } of rows) deleted.add(id)
  }
  return documents.filter(({ id }) => deleted.has(id))
}

/** A document named in a request; `isLive` if visible in searches. */
export type FoundDocument = { id: string; isLive: boolean }

/**
 * Finds documents of a memory by id and by external id. Of two documents with the same external id
 * (during a replacement), the live document wins.
 */
export async function findDocumentsByIds(
  db: Kysely<Tables>,
  memoryId: string,
  { ids, externalIds }: { ids: readonly string[]; externalIds: readonly string[] },
): Promise<{ byId: Map<string, FoundDocument>; byExternalId: Map<string, FoundDocument> }> {
  const byId = new Map<string, FoundDocument>()
  const byExternalId = new Map<string, FoundDocument>()
  const named = (column: 'id' | 'external_id', slice: readonly string[]) =>
    db
      .selectFrom('documents')
      .select(['id', 'external_id', 'status'])
      .where('memory_id', '=', memoryId)
      .where(column, 'in', slice)
      .execute()
  for (const slice of batches(ids)) {
    for (const { id, status } of await named('id', slice)) byId.set(id, { id, isLive: LIVE_STATUSES.includes(status) })
  }
  for (const slice of batches(externalIds)) {
    for (const { id, external_id: name, status } of await named('external_id', slice)) {
      const isLive = LIVE_STATUSES.includes(status)
      if (name !== null && (isLive || !byExternalId.has(name))) byExternalId.set(name, { id, isLive })
    }
  }
  return { byId, byExternalId }
}
