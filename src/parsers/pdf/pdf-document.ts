import { open } from 'node:fs/promises'
import { ApiError } from '../../errors.ts'
import type { SourceFile } from '../parse-event.ts'
import { loadPdfium, type Pdfium } from './pdfium.ts'

/** An open PDF. */
export type PdfDocument = {
  pdfium: Pdfium
  /** PDFium's handle. */
  handle: number
  /** The handle of its form fields; 0 when they cannot be read. */
  form: number
  pageCount: number
  /** 256 bytes for PDFium to write small results to. */
  scratch: number
  /** What PDFium wrote to a buffer as UTF-16: `write` gets the buffer and its size and gives the bytes needed. */
  readString(write: (buffer: number, bytes: number) => number): string
  /** Calls `use` with the page of that index, from 0, and closes it; `null` when the page cannot be read. */
  withPage<Value>(index: number, use: (page: number) => Value): Value | null
  close(): void
}

/** More pages than any honest document has: a page tree may claim any number. */
const MAX_PAGES = 50_000
/** Bytes of a string that is asked for; what is longer is none that a person wrote. */
const MAX_STRING_BYTES = 1_000_000
/** fpdfview.h, FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY. */
const PASSWORD_ERROR = 4
const SECURITY_ERROR = 5

/**
 * Opens a PDF; `close` it. Throws `unprocessable_document` that says whether it is protected, damaged or without pages. A file that opens with an
 * empty password, as readers open it, is no protected one.
 */
export async function openPdf(source: SourceFile): Promise<PdfDocument> {
  const pdfium = await loadPdfium()
  const data = await copyFile(pdfium, source)
  const handle = pdfium.FPDF_LoadMemDocument64(data, source.bytes, 0)
  if (handle === 0) throw explain(pdfium.FPDF_GetLastError(), hasEnd(pdfium, data, source.bytes))
  const pageCount = pdfium.FPDF_GetPageCount(handle)
  if (pageCount <= 0) throw unprocessable('The PDF is damaged: it has no pages.')
  if (pageCount > MAX_PAGES)
    throw unprocessable(`The PDF claims to have ${pageCount} pages; at most ${MAX_PAGES} are read.`)
  const scratch = pdfium.malloc(256)
  const form = openForm(pdfium, handle)
  return {
    pdfium,
    handle,
    form,
    pageCount,
    scratch,
    readString: (write) => readString(pdfium, write),
    withPage: (index, use) => withPage(pdfium, { handle, index }, use),
    close: () => {
      if (form !== 0) pdfium.FPDFDOC_ExitFormFillEnvironment(form)
      pdfium.FPDF_CloseDocument(handle)
    },
  }
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

function withPage<Value>(
  pdfium: Pdfium,
  { handle, index }: { handle: number; index: number },
  use: (page: number) => Value,
): Value | null {
  const page = pdfium.FPDF_LoadPage(handle, index)
  if (page === 0) return null
  try {
    return use(page)
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}

function unprocessable(message: string): ApiError {
  return new ApiError('unprocessable_document', { message })
}
