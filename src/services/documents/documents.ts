/** The documents of a memory. */

import type { Readable } from 'node:stream'
import type {
  DocumentResource,
  DocumentStatus,
  PageReceiptResource,
  PageTotalsResource,
  SourceType,
} from '../../api/document.ts'
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
