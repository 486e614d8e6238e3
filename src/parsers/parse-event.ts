import { ApiError } from '../errors.ts'

/**
 * Interface of the file parsers. A parser yields text in blocks, in reading order, so that a large
 * document is never completely in memory.
 *
 * The extracted text is the concatenation of all `text`s. All later offsets count UTF-16 code units
 * in the extracted text.
 */

/**
 * A block of extracted text with its position. Separators (line ends, blank lines) belong to
 * `text`.
 */
export type Block = {
  text: string
  kind: 'heading' | 'paragraph' | 'list-item' | 'table-header' | 'table-row' | 'code' | 'record' | 'blank'
  /** Level of a heading, from 1. */
  level?: number
  /** Heading without marks, if `text` has marks (`## Storage`). */
  heading?: string
  /** The first row of a table; the header of the previous table does not apply. */
  beginsTable?: true
  /** The block introduces the next, such as a term its definition; the two stay together. */
  leads?: true
  /** Page, slide or sheet, from 1. */
  page?: number
}

/** Result for a page, sheet or slide, as the contract defines the report. */
export type PageReport = {
  page: number
  method: 'text' | 'ocr' | 'empty' | 'failed'
  characters: number
  confidence: number | null
  message: string | null
}

/** A scanned page, from 1, that needs OCR. The parser gives no report for the page. */
export type ScannedPage = {
  page: number
  widthPoints: number
  heightPoints: number
  /**
   * Digital text of the page besides the scan, such as a stamp; often empty. Not emitted as blocks.
   */
  text: string
  /** True for a page of text whose fonts have no usable character map. */
  isUnreadable?: true
}

/**
 * Title in the document's metadata; `null` for none. Emitted before the first block.
 * `over: 'headings'`: takes precedence over headings (a workbook starts with a sheet name);
 * `over: 'file-name'`: a heading takes precedence.
 */
export type DocumentTitle = { title: string | null; over: 'headings' | 'file-name' }

/** An event of a parse, in document order. */
export type ParseEvent =
  | { block: Block }
  | { page: PageReport }
  | { scan: ScannedPage }
  | { warning: string }
  | DocumentTitle
  /** Number of pages, sheets or slides; before the first page, if known. */
  | { pageCount: number }
  /**
   * Parsing stopped early, for the given reason (a sentence). Earlier events are valid. Always the
   * last event.
   */
  | { cut: string }

/** A file on the local disk. Name and type come from the sender and are untrusted. */
export type SourceFile = { path: string; bytes: number; filename: string | null; declaredType: string | null }

/** File type detected from the content. */
export type SniffedType = { format: string; mimeType: string; encoding: string | null }

/** Creates a 422 error for an unreadable container; `message` is a complete sentence. */
export function unreadable(message: string, cause?: unknown): ApiError {
  return new ApiError('unprocessable_document', { message, cause })
}

/** Creates a 422 error for a password-protected file. */
export function passwordProtected(): ApiError {
  return new ApiError('unprocessable_document', {
    message: 'The file is password protected (encrypted).',
    remedy: 'Remove the password and send the file again.',
  })
}

/** Creates a 422 error for a book whose text only a licensed program can decrypt. */
export function copyProtected(): ApiError {
  return new ApiError('unprocessable_document', {
    message: 'The book is copy protected (DRM): its text is encrypted.',
    remedy: 'Send a copy of the book without copy protection.',
  })
}

/** Creates a 422 error for a file that is too large when unpacked. */
export function tooLargeUnpacked(what: string): ApiError {
  return new ApiError('unprocessable_document', { message: `${TOO_LARGE_MESSAGE}: ${what}.`, remedy: SMALLER_FILES })
}

/** True for an error of {@link tooLargeUnpacked}: stop reading the file. */
export function isTooLargeUnpacked(error: unknown): boolean {
  return error instanceof ApiError && error.message.startsWith(TOO_LARGE_MESSAGE)
}

const TOO_LARGE_MESSAGE = 'The file is too large when unpacked'
const SMALLER_FILES = 'Send the content in several smaller files.'

/**
 * Creates the error for an unreadable image: `unreadableImage('is truncated')` gives "The image
 * is truncated."
 */
export function unreadableImage(what: string, cause?: unknown): ApiError {
  return new ApiError('image_unreadable', { message: `The image ${what}.`, ...(cause === undefined ? {} : { cause }) })
}
