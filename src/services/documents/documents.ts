/** The documents of a memory. */

import type { Readable } from 'node:stream'
import type { PageReceipt } from '../../parsers/parse-event.ts'
import type { Caller } from '../caller.ts'
import type { Page, PageRequest } from '../page.ts'

export type DocumentsService = {
  list(
    caller: Caller,
    memoryId: string,
    filter: { status: DocumentStatus | null; tag: string | null; sourceType: SourceType | null },
    page: PageRequest,
  ): Promise<Page<'documents', DocumentResource>>
  get(
    caller: Caller,
    memoryId: string,
    documentId: string,
  ): Promise<DocumentResource & { pages: PageReceiptResource[] }>
  delete(caller: Caller, memoryId: string, documentId: string): Promise<void>
  /** The stored original; `range` as the Range header has it, already parsed (`end` null: to the end; `start` null: the last `end` bytes). `null` when no byte of it is there (416). */
  source(
    caller: Caller,
    memoryId: string,
    documentId: string,
    range: { start: number | null; end: number | null } | null,
  ): Promise<StoredSource | { bytes: number; content: null }>
  /** The extracted text, UTF-8. */
  text(caller: Caller, memoryId: string, documentId: string): Promise<{ content: Readable; bytes: number }>
  /** What became of all pages of all documents, corrections left out. Rejects with `memory_not_found`, and when `signal` fires. */
  countPages(caller: Caller, memoryId: string, signal: AbortSignal): Promise<PageTotalsResource>
}

export type StoredSource = {
  content: Readable
  /** Bytes of the whole original. */
  bytes: number
  /** The bytes that `content` carries, both inclusive; `null` when it carries all. */
  range: { start: number; end: number } | null
  filename: string | null
  mimeType: string
}

export type SourceType = 'file' | 'text' | 'url' | 'ocr' | 'correction'

export type DocumentStatus = 'pending' | 'processing' | 'ready' | 'partial' | 'failed'

export type Metadata = Readonly<Record<string, string | number | boolean | null>>

export type DocumentResource = {
  id: string
  memoryId: string
  title: string
  filename: string | null
  mimeType: string
  sourceType: SourceType
  url: string | null
  tags: readonly string[]
  metadata: Metadata
  externalId: string | null
  status: DocumentStatus
  sizeBytes: number
  pageCount: number | null
  ocrPages: number
  chunkCount: number
  characterCount: number
  contentHash: string | null
  embeddingModel: string | null
  hasSource: boolean
  jobId: string | null
  error: string | null
  createdAt: string
  updatedAt: string
  /** Of a correction only; `null` for every other document. */
  correction: { statement: string; topics: readonly string[]; boost: number; expiresAt: string | null } | null
}

/** What became of a page, sheet or slide. */
export type PageReceiptResource = PageReceipt

/** What became of the pages of all documents of a memory, and the documents of which most failed. */
export type PageTotalsResource = {
  pages: number
  text: number
  ocr: number
  empty: number
  failed: number
  documents: { documentId: string; title: string; failed: number }[]
}
