import { ApiError } from '../../errors.ts'
import type { SourceFile } from '../parse-event.ts'
import { openPdf, PAGE_DAMAGED, type PdfDocument } from './pdf-document.ts'

/** A rendered page: rows from the top without padding. `gray` has a byte per pixel, `rgba` four. */
export type RenderedPage = { data: Buffer; width: number; height: number; channels: 1 | 4; dpi: number }

/**
 * Pixel limit of a rendering. An A3 page at 300 dpi has 17 million; a page of 14,400 points would
 * have 3.6 billion.
 */
const MAX_PIXELS = 20_000_000
const POINTS_PER_INCH = 72
/** fpdfview.h: bitmap formats and flags. */
const GRAY_BITMAP = 1
const BGRA_BITMAP = 4
const DRAW_ANNOTATIONS = 0x01
const GRAYSCALE = 0x08
const REVERSE_BYTE_ORDER = 0x10
const WHITE = 0xffffffff

/**
 * Renders a page (from 1) on white, with annotations and form fields. A very large page is rendered
 * at a lower resolution, returned as `dpi`. Throws `unprocessable_document` for an unreadable
 * document or page, `RangeError` for a page number out of range.
 */
export async function renderPage(
  source: SourceFile,
  page: number,
  { dpi, colours }: { dpi: number; colours: 'gray' | 'rgba' },
): Promise<RenderedPage> {
  const document = await openPdf(source)
  try {
    return await renderOpenPage(document, page, { dpi, colours })
  } finally {
    document.close()
  }
}

/** {@link renderPage} for an open document. */
export async function renderOpenPage(
  document: PdfDocument,
  page: number,
  { dpi, colours }: { dpi: number; colours: 'gray' | 'rgba' },
): Promise<RenderedPage> {
  if (!Number.isInteger(page) || page < 1 || page > document.pageCount) throw new RangeError(`no page ${page}`)
  const outcome = await document.withPage(
    page - 1,
    (handle) => renderBitmap(document, handle, { dpi, colours }),
    'draw',
  )
  if ('failure' in outcome) throw createRenderError(page, outcome.failure)
  if (outcome.value === null) throw createRenderError(page, PAGE_DAMAGED)
  return outcome.value
}

function createRenderError(page: number, failure: string): ApiError {
  const message =
    failure === PAGE_DAMAGED
      ? `Page ${page} of the PDF is damaged.`
      : `Page ${page} of the PDF cannot be drawn. ${failure}`
  return new ApiError('unprocessable_document', { message })
}

function renderBitmap(
  { pdfium }: PdfDocument,
  page: number,
  { dpi, colours }: { dpi: number; colours: 'gray' | 'rgba' },
): RenderedPage | null {
  const [widthPoints, heightPoints] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  const scale = Math.min(dpi / POINTS_PER_INCH, Math.sqrt(MAX_PIXELS / Math.max(1, widthPoints * heightPoints)))
  const width = Math.max(1, Math.round(widthPoints * scale))
  const height = Math.max(1, Math.round(heightPoints * scale))
  const isGray = colours === 'gray'
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, isGray ? GRAY_BITMAP : BGRA_BITMAP, 0, 0)
  if (bitmap === 0) return null
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  const flags = DRAW_ANNOTATIONS | (isGray ? GRAYSCALE : REVERSE_BYTE_ORDER)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
  const channels = isGray ? 1 : 4
  const data = copyRows(pdfium.memory().bytes, {
    from: pdfium.FPDFBitmap_GetBuffer(bitmap),
    stride: pdfium.FPDFBitmap_GetStride(bitmap),
    rowBytes: width * channels,
    rows: height,
  })
  pdfium.FPDFBitmap_Destroy(bitmap)
  return { data, width, height, channels, dpi: scale * POINTS_PER_INCH }
}

/** Removes PDFium's row padding. */
function copyRows(
  bytes: Uint8Array,
  { from, stride, rowBytes, rows }: { from: number; stride: number; rowBytes: number; rows: number },
): Buffer {
  const copy = Buffer.allocUnsafe(rowBytes * rows)
  for (let row = 0; row < rows; row++)
    copy.set(bytes.subarray(from + row * stride, from + row * stride + rowBytes), row * rowBytes)
  return copy
}
