import { Readable } from 'node:stream'
import type { Kysely, Transaction } from 'kysely'
import type {
  DocumentResource,
  DocumentStatus,
  PageReportResource,
  PageTotalsResource,
  SourceType,
} from '../../api/document.ts'
import {
  countListedDocuments,
  type DocumentKey,
  getInlineText,
  type ListedDocument,
  listDocuments,
  requireDocument,
  scanDocuments,
  type UnindexedFilter,
} from '../../database/memories/documents-table.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import { iteratePageReports } from '../../database/memories/pages-table.ts'
import type { Document, Memory, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { MAX_FAILED_DOCUMENTS } from '../../limits.ts'
import { listDocuments as listIds } from '../../memory-file/chunk-predicate.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'
import type { Caller } from '../caller.ts'
import { type DeletionOutbox, waitAtMost } from '../deletion/deletion-outbox.ts'
import { documentObject } from '../document-objects.ts'
import { createDocumentFilters, type DocumentFilters } from '../filters/document-filters.ts'
import { type DocumentFilter, readFilter } from '../filters/read-filter.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'
import { deleteInTransaction } from './delete-documents.ts'
import { toDocumentResource, toPageReports } from './document-resource.ts'

type DocumentsDeps = {
  db: Kysely<Tables>
  /** Shared with searches, or else those of this service. */
  filters?: DocumentFilters
  blobs: ObjectReader
  removals: DeletionOutbox
  changes: JobChanges
  now: () => Date
}

type ObjectReader = Pick<Blobs, 'get' | 'size'>
type ByteRange = { start: number; end: number }
type RequestedRange = Parameters<DocumentsService['source']>[2]['range']

/** Lists, reads and deletes documents of a memory and streams their contents. */
export function createDocumentsService(deps: DocumentsDeps): DocumentsService {
  const { db, blobs } = deps
  const filters = deps.filters ?? createDocumentFilters(db)

  async function require(caller: Caller, memoryId: string, documentId: string): Promise<Document> {
    const memory = await requireMemory(db, caller, memoryId)
    return requireDocument(db, { organizationId: memory.organization_id, memoryId, documentId })
  }

  return {
    async list(caller, memoryId, { page, ...listing }) {
      const memory = await requireMemory(db, caller, memoryId)
      const tag = listing.tag === null ? null : replaceUnstorable(listing.tag)
      const { status, sourceType, sort = '-createdAt', filter = null, ...others } = listing
      const isIndexed = Object.values({ ...others, tag: null, filter }).every(
        (one) => one === null || one === undefined,
      )
      if (isIndexed && sort === '-createdAt')
        return readDocuments(db, memory, { page, listing: { memoryId, status, tag, sourceType } })
      return scan({ db, filters }, memory, { page, listing: { ...listing, tag }, sort })
    },

    async get(caller, memoryId, documentId) {
      const memory = await requireMemory(db, caller, memoryId)
      const key = { organizationId: memory.organization_id, memoryId, documentId }
      const document = await requireDocument(db, key)
      return { ...toDocumentResource(document, memory), pages: toPageReports(document) }
    },

    async delete(caller, memoryId, documentId) {
      const { organization_id: organizationId } = await requireMemory(db, caller, memoryId)
      const key = { organizationId, memoryId, documentId }
      const { removalIds, jobId } = await deps.removals.commit((transaction) => remove(transaction, key, deps.now()))
      failpoint('deletion:committed')
      if (jobId !== null) deps.changes.publish({ jobId, kind: 'stop-asked' })
      await waitAtMost(deps.removals.process(removalIds))
    },

    async source(caller, memoryId, { documentId, range }) {
      const document = await require(caller, memoryId, documentId)
      const key = documentObject(memoryId, documentId, 'source')
      const bytes = document.has_source === 1 ? await blobs.size(key) : null
      if (bytes === null) throw new ApiError('source_not_stored')
      const wanted = range === null ? null : toByteRange(range, bytes)
      if (range !== null && wanted === null) return { bytes, content: null }
      const content = wanted === null ? await blobs.get(key) : await blobs.get(key, wanted)
      if (content === null) throw new ApiError('document_not_found')
      return { content, bytes, range: wanted, filename: document.filename, mimeType: document.mime_type }
    },

    async text(caller, memoryId, documentId) {
      const document = await require(caller, memoryId, documentId)
      return (await getInline(db, documentId)) ?? (await getObject(blobs, document)) ?? throwNoText(document)
    },

    async countPages(caller, memoryId, signal) {
      const memory = await requireMemory(db, caller, memoryId)
      return countPages(db, memory.id, signal)
    },
  }
}

/** Lists by filters without an index. The filter of searches compares tags and metadata. */
async function scan(
  { db, filters }: { db: Kysely<Tables>; filters: DocumentFilters },
  memory: Memory,
  { page, listing, sort }: ScanRequest,
) {
  const { filter = null, tag } = listing
  const tagged = tag === null ? null : readFilter({ tags: [tag] })
  const sets = await Promise.all(
    [filter, tagged].flatMap((one) => (one ? filters.select(memory, one, 'included') : [])),
  )
  const ids = sets.map((set) => new Set(listIds(set)))
  const isAscending = sort === 'createdAt'
  const passes = (id: string) => ids.every((one) => one.has(id))
  let total = 0
  return readPage(page, {
    ...describePages(memory),
    list: `documents ${memory.id}${isAscending ? ' createdAt' : ''}`,
    read: async (after, limit) => {
      const range = { after: toPosition(after), limit, isAscending, passes }
      const scanned = await scanDocuments(db, { ...listing, memoryId: memory.id }, range)
      total = scanned.total
      return scanned.documents
    },
    count: async () => total,
  })
}

/** Paging of documents, but for the rows. */
function describePages(memory: Memory) {
  return {
    name: 'documents',
    pattern: /^\d{1,15} doc_\w{26}$/,
    positionOf: ({ seq, id }: ListedDocument) => `${seq} ${id}`,
    toResource: (document: ListedDocument) => toDocumentResource(document, memory),
  } as const
}

function readDocuments(
  db: Kysely<Tables>,
  memory: Memory,
  { page, listing }: { page: PageRequest; listing: Parameters<typeof countListedDocuments>[1] },
) {
  return readPage(page, {
    ...describePages(memory),
    list: `documents ${listing.memoryId}`,
    read: (after, limit) => listDocuments(db, { ...listing, after: toPosition(after), limit }),
    count: () => countListedDocuments(db, listing),
  })
}

/** `jobId` is the job of the document, if the deletion ended that job. */
async function remove(
  transaction: Transaction<Tables>,
  key: DocumentKey,
  now: Date,
): Promise<{ removalIds: string[]; jobId: string | null }> {
  await lockMemory(transaction, key.memoryId)
  const document = await requireDocument(transaction, key)
  const { removalIds, jobIds } = await deleteInTransaction(transaction, [document], now)
  return { removalIds, jobId: jobIds[0] ?? null }
}

/** Available bytes of a requested range; `null` when the range is outside. */
function toByteRange({ start, end }: NonNullable<RequestedRange>, bytes: number): ByteRange | null {
  const first = start ?? Math.max(0, bytes - (end ?? 0))
  const last = start === null ? bytes - 1 : Math.min(end ?? bytes - 1, bytes - 1)
  return first <= last ? { start: first, end: last } : null
}

async function getInline(db: Kysely<Tables>, documentId: string) {
  const text = await getInlineText(db, documentId)
  if (text === null) return null
  const content = Buffer.from(text)
  return { content: Readable.from([content], { objectMode: false }), bytes: content.length }
}

async function getObject(blobs: ObjectReader, document: Document) {
  const key = documentObject(document.memory_id, document.id, 'text')
  const bytes = await blobs.size(key)
  const content = bytes === null ? null : await blobs.get(key)
  return bytes === null || content === null ? null : { content, bytes }
}

function throwNoText({ status }: Document): never {
  const message = `The document has no extracted text; its status is ${status}.`
  throw new ApiError('document_not_found', { message, remedy: 'Wait until the job of the document has completed.' })
}

function toPosition(after: string | null): { seq: number; id: string } | null {
  const [seq, id] = after?.split(' ') ?? []
  return seq === undefined || id === undefined ? null : { seq: Number(seq), id }
}

/** Filters and order of a list. */
type DocumentListing = UnindexedFilter & {
  status: DocumentStatus | null
  tag: string | null
  sourceType: SourceType | null
  filter?: DocumentFilter | null
  sort?: '-createdAt' | 'createdAt' | undefined
}

type ScanRequest = { page: PageRequest; listing: DocumentListing; sort: DocumentListing['sort'] }

/** Documents of a memory and their contents. */
export type DocumentsService = {
  list(
    caller: Caller,
    memoryId: string,
    request: DocumentListing & { page: PageRequest },
  ): Promise<Page<'documents', DocumentResource>>
  get(caller: Caller, memoryId: string, documentId: string): Promise<DocumentResource & { pages: PageReportResource[] }>
  delete(caller: Caller, memoryId: string, documentId: string): Promise<void>
  /**
   * The stored original; `range` as in the Range header (`end: null`: to the end; `start: null`:
   * the last `end` bytes). `content` is `null` for an unsatisfiable range (416).
   */
  source(
    caller: Caller,
    memoryId: string,
    asked: { documentId: string; range: { start: number | null; end: number | null } | null },
  ): Promise<StoredSource | { bytes: number; content: null }>
  /** The extracted text as UTF-8. */
  text(caller: Caller, memoryId: string, documentId: string): Promise<{ content: Readable; bytes: number }>
  /**
   * Page totals of all documents, without corrections. Rejects with `memory_not_found`, and when
   * `signal` fires.
   */
  countPages(caller: Caller, memoryId: string, signal: AbortSignal): Promise<PageTotalsResource>
}

/** The original of a document, or the requested part. */
export type StoredSource = {
  content: Readable
  /** Size of the whole original. */
  bytes: number
  /** Inclusive byte range of `content`; `null` for the whole original. */
  range: { start: number; end: number } | null
  filename: string | null
  mimeType: string
}

type FailedDocument = PageTotalsResource['documents'][number]

/**
 * Page totals of all documents of a memory, without corrections, and the documents with the most
 * failed pages, newest first among equals. A document without pages counts as one page, a document
 * in progress as none. Rejects when `signal` fires.
 */
export async function countPages(
  db: Kysely<Tables>,
  memoryId: string,
  signal: AbortSignal,
): Promise<PageTotalsResource> {
  const counts = { text: 0, ocr: 0, empty: 0, failed: 0 }
  const worst: FailedDocument[] = []
  for await (const { id, title, pages } of iteratePageReports(db, memoryId)) {
    signal.throwIfAborted()
    const failedBefore = counts.failed
    for (const { method } of JSON.parse(pages) as PageReportResource[]) counts[method] += 1
    place({ documentId: id, title, failed: counts.failed - failedBefore }, worst)
  }
  return { pages: counts.text + counts.ocr + counts.empty + counts.failed, ...counts, documents: worst }
}

/** Inserts a document into the list of worst documents, if bad enough. */
function place(document: FailedDocument, worst: FailedDocument[]): void {
  if (document.failed === 0) return
  const better = worst.findIndex(({ failed }) => failed < document.failed)
  worst.splice(better === -1 ? worst.length : better, 0, document)
  worst.splice(MAX_FAILED_DOCUMENTS)
}
