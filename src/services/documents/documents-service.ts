import { Readable } from 'node:stream'
import type { Kysely, Transaction } from 'kysely'
import { endJobOfDocument } from '../../database/deletion/deleted-work.ts'
import {
  countListedDocuments,
  type DocumentKey,
  getDocument,
  getInlineText,
  type ListedDocument,
  listDocuments,
  removeDocumentRows,
} from '../../database/documents/documents.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories.ts'
import type { Document, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { reachStep } from '../../observability/failpoints.ts'
import { toUsableText } from '../../parsers/encoding/decode-file.ts'
import type { Caller } from '../caller.ts'
import { readPage } from '../cursors.ts'
import type { Removals } from '../deletion/removals.ts'
import { waitBriefly } from '../deletion/wait-briefly.ts'
import { documentObject } from '../document-folder.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { countPages } from './count-pages.ts'
import { toDocumentResource, toPageReceipts } from './document-resource.ts'
import type { DocumentsService } from './documents.ts'

/** What the service of documents is made of. */
export type DocumentsParts = {
  db: Kysely<Tables>
  blobs: ObjectReader
  removals: Removals
  changes: JobChanges
  now: () => Date
}

type ObjectReader = Pick<Blobs, 'get' | 'size'>
type ByteRange = { start: number; end: number }
type RequestedRange = Parameters<DocumentsService['source']>[3]

/** Documents of a memory: listed, read, deleted, and their contents streamed. */
export function createDocumentsService(parts: DocumentsParts): DocumentsService {
  const { db, blobs } = parts

  async function require(caller: Caller, memoryId: string, documentId: string): Promise<Document> {
    const memory = await requireMemory(db, caller, memoryId)
    return requireDocument(db, { organizationId: memory.organization_id, memoryId, documentId })
  }

  return {
    async list(caller, memoryId, filter, page) {
      const memory = await requireMemory(db, caller, memoryId)
      const tag = filter.tag === null ? null : toUsableText(filter.tag)
      const listing = { memoryId, ...filter, tag }
      return readPage(page, {
        name: 'documents',
        list: `documents ${memoryId}`,
        pattern: /^\d{1,15} doc_\w{26}$/,
        positionOf: ({ seq, id }) => `${seq} ${id}`,
        read: (after, limit) => listDocuments(db, { ...listing, after: toPosition(after), limit }),
        count: () => countListedDocuments(db, listing),
        toResource: (document: ListedDocument) => toDocumentResource(document, memory),
      })
    },

    async get(caller, memoryId, documentId) {
      const memory = await requireMemory(db, caller, memoryId)
      const key = { organizationId: memory.organization_id, memoryId, documentId }
      const document = await requireDocument(db, key)
      return { ...toDocumentResource(document, memory), pages: toPageReceipts(document) }
    },

    async delete(caller, memoryId, documentId) {
      const { organization_id: organizationId } = await requireMemory(db, caller, memoryId)
      const key = { organizationId, memoryId, documentId }
      const { removalIds, jobId } = await parts.removals.commit((transaction) => remove(transaction, key, parts.now()))
      reachStep('deletion:committed')
      if (jobId !== null) parts.changes.publish({ jobId, kind: 'stop-asked' })
      await waitBriefly(parts.removals.carryOut(removalIds))
    },

    async source(caller, memoryId, documentId, range) {
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
      return (await getInline(db, documentId)) ?? (await getObject(blobs, document)) ?? withoutText(document)
    },

    async countPages(caller, memoryId, signal) {
      const memory = await requireMemory(db, caller, memoryId)
      return countPages(db, memory.id, signal)
    },
  }
}

/** The document; throws `document_not_found` for a malformed identifier and for whatever the caller may not see. */
async function requireDocument(db: Kysely<Tables>, key: DocumentKey): Promise<Document> {
  const document = isId('doc', key.documentId) ? await getDocument(db, key) : null
  if (document === null) throw new ApiError('document_not_found')
  return document
}

/** `jobId` is that of the job which made the document, when nothing is left for it to do. */
async function remove(
  transaction: Transaction<Tables>,
  key: DocumentKey,
  now: Date,
): Promise<{ removalIds: string[]; jobId: string | null }> {
  await lockMemory(transaction, key.memoryId)
  const document = await requireDocument(transaction, key)
  const removalIds = await removeDocumentRows(transaction, [document], now)
  const { job_id: jobId, status } = document
  const isWaiting = jobId !== null && (status === 'pending' || status === 'processing')
  const end = { error: 'the document was deleted', errorCode: 'document_not_found', now: now.toISOString() }
  const isEnded = isWaiting && (await endJobOfDocument(transaction, jobId, end))
  reachStep('deletion:about-to-commit')
  return { removalIds, jobId: isEnded ? jobId : null }
}

/** The bytes of a requested range that are there; `null` when there are none. */
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

function withoutText({ status }: Document): never {
  const message = `The document has no extracted text; its status is ${status}.`
  throw new ApiError('document_not_found', { message, remedy: 'Wait until the job of the document has completed.' })
}

function toPosition(after: string | null): { seq: number; id: string } | null {
  const [seq, id] = after?.split(' ') ?? []
  return seq === undefined || id === undefined ? null : { seq: Number(seq), id }
}
