import { open } from 'node:fs/promises'
import { ApiError } from '../../errors.ts'
import type { SourceFile } from '../parse-event.ts'
import { createPageLimits, createWorkLimit, loadPdfium, type Pdfium } from './pdfium.ts'

/** What PDFium has of a file: other handles each time it is opened. */
type Opened = {
  pdfium: Pdfium
  /** PDFium's handle. */
  handle: number
  /** The handle of its form fields; 0 when they cannot be read. */
  form: number
  pageCount: number
  /** 256 bytes for PDFium to write small results to. */
  scratch: number
  /** What is known of its fonts, by their handles: a font is the same object from page to page, and its name is slow to ask for. */
  fonts: Map<number, { isBold: boolean; isNamed: boolean }>
}

/** An open PDF. It is opened anew when a page broke PDFium: ask for its parts where they are used. */
export type PdfDocument = Readonly<Opened> & {
  /** What PDFium wrote to a buffer as UTF-16: `write` gets the buffer and its size and gives the bytes needed. */
  readString(write: (buffer: number, bytes: number) => number): string
  /** Calls `use` with the page of that index, from 0, and closes it. A page that breaks PDFium, or takes too long, costs itself alone. */
  withPage<Value>(index: number, use: (page: number) => Value, purpose?: PagePurpose): Promise<PageOutcome<Value>>
  /** Calls `use`, which is about no page; `null` where that breaks PDFium or takes too long. */
  tryTo<Value>(use: () => Value): Promise<Value | null>
  close(): void
}

/** What is done with a page: `read` where nothing else is said. */
type PagePurpose = 'read' | 'draw'

/** What was made of a page, or a sentence that says why nothing was. */
export type PageOutcome<Value> = { value: Value } | { failure: string }

/** What is said of a page that PDFium cannot load. */
export const PAGE_DAMAGED = 'The page is damaged.'

/** More pages than any honest document has: a page tree may claim any number. */
const MAX_PAGES = 50_000
/** Bytes of a string that is asked for; what is longer is none that a person wrote. */
const MAX_STRING_BYTES = 1_000_000
/** Processor time for opening a file, and for reading a page; some more for large files, which have more to be looked through. Drawing takes longer. */
const LIMIT_MS = 2_000
const BYTES_A_MS = 10_000
const DRAWING_TIMES = 2
/** fpdfview.h, FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY. */
const PASSWORD_ERROR = 4
const SECURITY_ERROR = 5

/**
 * Opens a PDF; `close` it. Throws `unprocessable_document` that says whether it is protected, damaged, without pages or takes too long to open. A file that opens with an
 * empty password, as readers open it, is no protected one.
 */
export async function openPdf(source: SourceFile): Promise<PdfDocument> {
  const { current, attempt } = await openAttempts(source)
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
      const times = purpose === 'draw' ? DRAWING_TIMES : 1
      const outcome = await attempt((opened) => usePage(opened, index, use), times)
      if ('failure' in outcome) return outcome
      return outcome.value ?? { failure: PAGE_DAMAGED }
    },
    async tryTo(use) {
      const outcome = await attempt(use)
      return 'value' in outcome ? outcome.value : null
    },
    close: () => {
      if (current.isSound) close(current.opened)
    },
  }
}

/** Opens the file, and again for the next attempt after one that broke PDFium or was stopped. */
async function openAttempts(source: SourceFile) {
  const limit = createWorkLimit()
  const fullMs = LIMIT_MS + source.bytes / BYTES_A_MS
  const current = { opened: await openWithin(limit, source, fullMs), isSound: true }
  const limits = createPageLimits({ fullMs, pageCount: current.opened.pageCount })

  async function renew(): Promise<void> {
    current.opened = await openWithin(limit, source, fullMs)
    current.isSound = true
  }

  async function attempt<Value>(use: (opened: Opened) => Value, times = 1): Promise<PageOutcome<Value>> {
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
      if (!isOfPdfium(error)) throw error
      return fail('It is damaged in a way that breaks its reader.')
    }
    limits.tookTooLong()
    return fail(`It took more than ${seconds(limitMs)} and was stopped.`)
  }

  function fail(failure: string): { failure: string } {
    current.isSound = false
    limits.failed()
    return { failure }
  }

  return { current, attempt }
}

/** Opens the file with a PDFium of its own. */
async function openWithin(
  limit: ReturnType<typeof createWorkLimit>,
  source: SourceFile,
  limitMs: number,
): Promise<Opened> {
  let file = await loadFile(source)
  const renew = async () => {
    file = await loadFile(source)
  }
  try {
    const outcome = await limit.run(() => openLoaded(file, source.bytes), { limitMs, renew })
    if (outcome !== null) return outcome.value
  } catch (error) {
    throw isOfPdfium(error) ? unprocessable('The PDF is damaged in a way that breaks its reader.') : error
  }
  throw unprocessable(`Opening the PDF took more than ${seconds(limitMs)} and was stopped.`)
}

type LoadedFile = { pdfium: Pdfium; data: number }

async function loadFile(source: SourceFile): Promise<LoadedFile> {
  const pdfium = await loadPdfium()
  return { pdfium, data: await copyFile(pdfium, source) }
}

function openLoaded({ pdfium, data }: LoadedFile, bytes: number): Opened {
  const handle = pdfium.FPDF_LoadMemDocument64(data, bytes, 0)
  if (handle === 0) throw explain(pdfium.FPDF_GetLastError(), hasEnd(pdfium, data, bytes))
  const pageCount = pdfium.FPDF_GetPageCount(handle)
  if (pageCount <= 0) throw unprocessable('The PDF is damaged: it has no pages.')
  if (pageCount > MAX_PAGES)
    throw unprocessable(`The PDF claims to have ${pageCount} pages; at most ${MAX_PAGES} are read.`)
  const form = openForm(pdfium, handle)
  return { pdfium, handle, form, pageCount, scratch: pdfium.malloc(256), fonts: new Map() }
}

function close({ pdfium, handle, form }: Opened): void {
  if (form !== 0) pdfium.FPDFDOC_ExitFormFillEnvironment(form)
  pdfium.FPDF_CloseDocument(handle)
}

/** Thrown by WebAssembly itself, or where its calls or its memory went too far: what is left of the instance is in any state. */
function isOfPdfium(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`
}

/** The file goes straight into PDFium's memory, so that it does not stand in ours as well. */
async function copyFile(pdfium: Pdfium, { path, bytes }: SourceFile): Promise<number> {
  const data = pdfium.malloc(Math.max(1, bytes))
  if (data === 0) throw unprocessable('The PDF is too large to be read.')
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

/** The mark of the end stands in the last 1,024 bytes. PDF reference 1.7, appendix H, note 18. */
const END_BYTES = 1024

function hasEnd(pdfium: Pdfium, data: number, bytes: number): boolean {
  const end = pdfium.memory().bytes.subarray(data + Math.max(0, bytes - END_BYTES), data + bytes)
  return Buffer.from(end).includes('%%EOF')
}

function explain(error: number, isWhole: boolean): ApiError {
  if (error === PASSWORD_ERROR) return unprocessable('The PDF is password protected.')
  if (error === SECURITY_ERROR) return unprocessable('The PDF is encrypted in a way that cannot be read.')
  if (!isWhole) return unprocessable('The PDF is damaged: it has no end, so it was probably cut off.')
  return unprocessable('The PDF is damaged: its structure cannot be read.')
}

/** formfill.h, FPDF_FORMFILLINFO: a version and callbacks, none of which is needed to read values. */
function openForm(pdfium: Pdfium, handle: number): number {
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

/** `null` where the page cannot be loaded. */
function usePage<Value>(
  { pdfium, handle }: Opened,
  index: number,
  use: (page: number) => Value,
): { value: Value } | null {
  const page = pdfium.FPDF_LoadPage(handle, index)
  if (page === 0) return null
  const value = use(page)
  pdfium.FPDF_ClosePage(page)
  return { value }
}

function unprocessable(message: string): ApiError {
  return new ApiError('unprocessable_document', { message })
}
