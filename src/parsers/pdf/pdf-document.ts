import { open } from 'node:fs/promises'
import { ApiError } from '../../errors.ts'
import { passwordProtected, type SourceFile } from '../parse-event.ts'
import { createPageLimits, createWorkLimit, loadPdfium, type Pdfium } from './pdfium.ts'

/** PDFium's handles of an open file. Reopening the file changes them. */
type OpenFile = {
  pdfium: Pdfium
  /** The document handle. */
  handle: number
  /** The handle of the form; 0 when unreadable. */
  form: number
  pageCount: number
  /** Buffer of 256 bytes for small results of PDFium. */
  scratch: number
  /**
   * Font facts by handle. A font has the same handle on all pages, and reading its name is slow.
   */
  fonts: Map<number, { isBold: boolean; isNamed: boolean; isEmbedded: boolean }>
}

/**
 * An open PDF. The file is reopened after a page breaks PDFium, so read the handles at each use.
 */
export type PdfDocument = Readonly<OpenFile> & {
  /**
   * Reads a UTF-16 string from PDFium. `write` fills the given buffer and returns the bytes needed.
   */
  readString(write: (buffer: number, bytes: number) => number): string
  /**
   * Calls `use` with the page at `index` (from 0), then closes the page. A page that breaks PDFium
   * or exceeds the time limit fails alone.
   */
  withPage<Value>(index: number, use: (page: number) => Value, purpose?: PagePurpose): Promise<PageOutcome<Value>>
  /** Calls `use` outside of any page; `null` if PDFium breaks or the time limit is exceeded. */
  attempt<Value>(use: () => Value): Promise<Value | null>
  close(): void
}

/** Purpose of opening a page; `read` by default. */
type PagePurpose = 'read' | 'draw'

/** The result for a page, or a sentence with the reason for its failure. */
export type PageOutcome<Value> = { value: Value } | { failure: string }

/** Failure of a page that PDFium cannot load. */
export const PAGE_DAMAGED = 'The page is damaged.'
/** Failure of a page that breaks PDFium. */
export const PAGE_BREAKS = 'The page is damaged and cannot be parsed.'

/** Beyond any honest document; a page tree may claim any number of pages. */
const MAX_PAGES = 50_000
/** Limit on string length, beyond any text written by a person. */
const MAX_STRING_BYTES = 1_000_000
/** CPU time to open a file or read a page, plus extra time by file size. Drawing takes longer. */
const PAGE_LIMIT_MS = 2_000
const BYTES_PER_MS = 10_000
const DRAWING_LIMIT_FACTOR = 2
/** fpdfview.h, FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY. */
const PASSWORD_ERROR = 4
const SECURITY_ERROR = 5

/**
 * Opens a PDF. The caller closes it. Throws `unprocessable_document` for a protected, damaged or
 * empty file, and when opening exceeds the time limit. A file that opens with an empty password is
 * not protected.
 */
export async function openPdf(source: SourceFile): Promise<PdfDocument> {
  const { current, attempt } = await openWithRetry(source)
  return {
    get pdfium() {
      return current.opened.pdfium
    },
    get handle() {
      return current.opened.handle
    },
    get form() {
      return current.opened.form
    },
    get scratch() {
      return current.opened.scratch
    },
    get fonts() {
      return current.opened.fonts
    },
    pageCount: current.opened.pageCount,
    readString: (write) => readString(current.opened.pdfium, write),
    async withPage(index, use, purpose = 'read') {
      const times = purpose === 'draw' ? DRAWING_LIMIT_FACTOR : 1
      const outcome = await attempt((opened) => withLoadedPage(opened, index, use), times)
      if ('failure' in outcome) return outcome
      return outcome.value ?? { failure: PAGE_DAMAGED }
    },
    async attempt(use) {
      const outcome = await attempt(use)
      return 'value' in outcome ? outcome.value : null
    },
    close: () => {
      if (current.isSound) closeFile(current.opened)
    },
  }
}

/** Opens the file. After a failed call the next call reopens the file. */
async function openWithRetry(source: SourceFile) {
  const limit = createWorkLimit()
  const fullMs = PAGE_LIMIT_MS + source.bytes / BYTES_PER_MS
  const current = { opened: await openWithinLimit(limit, source, fullMs), isSound: true }
  const limits = createPageLimits({ fullMs, pageCount: current.opened.pageCount })

  async function renew(): Promise<void> {
    current.opened = await openWithinLimit(limit, source, fullMs)
    current.isSound = true
  }

  async function attempt<Value>(use: (opened: OpenFile) => Value, times = 1): Promise<PageOutcome<Value>> {
    const refusal = limits.refusal()
    if (refusal !== null) return { failure: refusal }
    if (!current.isSound) await renew()
    const limitMs = limits.limitMs() * times
    try {
      const outcome = await limit.run(() => use(current.opened), { limitMs, renew })
      if (outcome !== null) {
        limits.succeeded()
        return outcome
      }
    } catch (error) {
      if (!isPdfiumFailure(error)) throw error
      return fail(PAGE_BREAKS)
    }
    limits.tookTooLong()
    return fail(`The page took more than ${formatSeconds(limitMs)} and was stopped.`)
  }

  function fail(failure: string): { failure: string } {
    current.isSound = false
    limits.failed()
    return { failure }
  }

  return { current, attempt }
}

/** Opens the file in a new PDFium instance. */
async function openWithinLimit(
  limit: ReturnType<typeof createWorkLimit>,
  source: SourceFile,
  limitMs: number,
): Promise<OpenFile> {
  let file = await loadFile(source)
  const renew = async () => {
    file = await loadFile(source)
  }
  try {
    const outcome = await limit.run(() => openLoadedFile(file, source.bytes), { limitMs, renew })
    if (outcome !== null) return outcome.value
  } catch (error) {
    throw isPdfiumFailure(error) ? createPdfError('The PDF is damaged and cannot be parsed.') : error
  }
  throw createPdfError(`Opening the PDF took more than ${formatSeconds(limitMs)} and was stopped.`)
}

type LoadedFile = { pdfium: Pdfium; data: number }

async function loadFile(source: SourceFile): Promise<LoadedFile> {
  const pdfium = await loadPdfium()
  return { pdfium, data: await copyFile(pdfium, source) }
}

function openLoadedFile({ pdfium, data }: LoadedFile, bytes: number): OpenFile {
  const handle = pdfium.FPDF_LoadMemDocument64(data, bytes, 0)
  if (handle === 0) throw explainOpenError(pdfium.FPDF_GetLastError(), hasEndMarker(pdfium, data, bytes))
  const pageCount = pdfium.FPDF_GetPageCount(handle)
  if (pageCount <= 0) throw createPdfError('The PDF is damaged: it has no pages.')
  if (pageCount > MAX_PAGES)
    throw createPdfError(`The PDF claims to have ${pageCount} pages; at max ${MAX_PAGES} are read.`)
  const form = initFormEnvironment(pdfium, handle)
  return { pdfium, handle, form, pageCount, scratch: pdfium.malloc(256), fonts: new Map() }
}

function closeFile({ pdfium, handle, form }: OpenFile): void {
  if (form !== 0) pdfium.FPDFDOC_ExitFormFillEnvironment(form)
  pdfium.FPDF_CloseDocument(handle)
}

/** True for errors of WebAssembly and of its memory limits. The instance is unusable afterwards. */
function isPdfiumFailure(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')
}

function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`
}

/** Reads the file directly into PDFium's memory, to avoid a second copy. */
async function copyFile(pdfium: Pdfium, { path, bytes }: SourceFile): Promise<number> {
  const data = pdfium.malloc(Math.max(1, bytes))
  if (data === 0) throw createPdfError('The PDF is too large.')
  const file = await open(path)
  try {
    let at = 0
    while (at < bytes) {
      const { bytesRead } = await file.read(pdfium.memory().bytes, data + at, bytes - at, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
  } finally {
    await file.close()
  }
  return data
}

/** The end marker is within the last 1,024 bytes. PDF reference 1.7, appendix H, note 18. */
const END_BYTES = 1024

function hasEndMarker(pdfium: Pdfium, data: number, bytes: number): boolean {
  const end = pdfium.memory().bytes.subarray(data + Math.max(0, bytes - END_BYTES), data + bytes)
  return Buffer.from(end).includes('%%EOF')
}

function explainOpenError(error: number, isWhole: boolean): ApiError {
  if (error === PASSWORD_ERROR) return passwordProtected()
  if (error === SECURITY_ERROR) return createPdfError('The encryption of the PDF is not supported.')
  if (!isWhole) return createPdfError('The PDF is damaged: its end is missing, so the file is probably truncated.')
  return createPdfError('The PDF is damaged: its structure cannot be read.')
}

/**
 * fpdf_formfill.h, FPDF_FORMFILLINFO: a version and callbacks. Reading values needs no callback.
 */
function initFormEnvironment(pdfium: Pdfium, handle: number): number {
  const info = pdfium.malloc(256)
  const { bytes } = pdfium.memory()
  bytes.fill(0, info, info + 256)
  bytes[info] = 1
  return pdfium.FPDFDOC_InitFormFillEnvironment(handle, info)
}

function readString(pdfium: Pdfium, write: (buffer: number, bytes: number) => number): string {
  const bytes = write(0, 0)
  if (bytes <= 2 || bytes > MAX_STRING_BYTES) return ''
  const buffer = pdfium.malloc(bytes)
  write(buffer, bytes)
  const text = Buffer.from(pdfium.memory().bytes.subarray(buffer, buffer + bytes - 2)).toString('utf16le')
  pdfium.free(buffer)
  return text
}

/** `null` when the page cannot be loaded. */
function withLoadedPage<Value>(
  { pdfium, handle }: OpenFile,
  index: number,
  use: (page: number) => Value,
): { value: Value } | null {
  const page = pdfium.FPDF_LoadPage(handle, index)
  if (page === 0) return null
  const value = use(page)
  pdfium.FPDF_ClosePage(page)
  return { value }
}

function createPdfError(message: string): ApiError {
  return new ApiError('unprocessable_document', { message })
}
