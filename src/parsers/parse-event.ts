import { ApiError } from '../errors.ts'

/**
 * The seam to what reads files. A parser gives the text of a document block by block, in reading order, so that a
 * large document never stands in memory whole. The extracted text is the concatenation of all `text`s: offsets of
 * everything later count UTF-16 code units in it.
 */

/** A run of extracted text with what is known of its place. Separators (line ends, blank lines) belong to `text`. */
export type Block = {
  text: string
  kind: 'heading' | 'paragraph' | 'list-item' | 'table-header' | 'table-row' | 'code' | 'record' | 'blank'
  /** Level of a heading, from 1. */
  level?: number
  /** The heading's own words, where `text` has marks around them (`## Storage`). */
  heading?: string
  /** A row that is the first of its table: the header of the table before is not its own. */
  beginsTable?: true
  /** What follows is about it, as a definition is about its term: the two are not parted. */
  leads?: true
  /** Page, slide or sheet, from 1. */
  page?: number
}

/** What became of a page, sheet or slide: the receipt of the contract. */
export type PageReceipt = {
  page: number
  method: 'text' | 'ocr' | 'empty' | 'failed'
  characters: number
  confidence: number | null
  message: string | null
}

/** A page that is a picture of text, from 1: what has to be recognised. Its reader gives no receipt for it. */
export type ScannedPage = {
  page: number
  widthPoints: number
  heightPoints: number
  /** What the page has of its own beside the picture, such as a stamp; often empty. Not given as blocks. */
  text: string
}

/**
 * What the document calls itself beside its text, as it is written; `null` when nothing. Before its first block. `over` says what it is better
 * than: `headings`: what the text begins with is no title (a workbook begins with the name of a sheet); `file-name`: a heading is preferred.
 */
export type OwnTitle = { title: string | null; over: 'headings' | 'file-name' }

/** One event of a parse, in the order of the document. */
export type ParseEvent =
  | { block: Block }
  | { page: PageReceipt }
  | { scan: ScannedPage }
  | { warning: string }
  | OwnTitle
  /** Pages, sheets or slides of the document; before the first of them, where that is known. */
  | { pageCount: number }
  /** Reading ended before the document did, for this reason, a sentence; what came before is good. The last event. */
  | { cut: string }

/** A file on the local disk, the name and type its sender gave it (data only, never trusted). */
export type SourceFile = { path: string; bytes: number; filename: string | null; declaredType: string | null }

/** What the content says the file is. */
export type SniffedType = { format: string; mimeType: string; encoding: string | null }

/** A 422 for a container that cannot be read: `message` is a whole sentence that says why. */
export function unreadable(message: string, cause?: unknown): ApiError {
  return new ApiError('unprocessable_document', { message, cause })
}

/** A 422 for a file that is locked by a password. */
export function passwordProtected(): ApiError {
  return new ApiError('unprocessable_document', {
    message: 'The file is password protected (encrypted).',
    remedy: 'Save it without a password and send it again.',
  })
}

/** A 422 for a file whose content would take too much room. */
export function tooLargeUnpacked(what: string): ApiError {
  return unreadable(`${TOO_LARGE}: ${what}.`)
}

/** True for what {@link tooLargeUnpacked} made: nothing more of the file should be read. */
export function isTooLargeUnpacked(error: unknown): boolean {
  return error instanceof ApiError && error.message.startsWith(TOO_LARGE)
}

const TOO_LARGE = 'The file is too large when unpacked'

/** The error for a picture that cannot be read: `unreadableImage('is cut off')` says "The image is cut off." */
export function unreadableImage(what: string, cause?: unknown): ApiError {
  return new ApiError('image_unreadable', { message: `The image ${what}.`, ...(cause === undefined ? {} : { cause }) })
}
