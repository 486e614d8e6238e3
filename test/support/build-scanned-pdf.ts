import { assemblePdf, pdfDictionary, pdfStream, pdfString } from './assemble-pdf.ts'

/**
 * A page of a generated PDF: lines of text, or a full-page JPEG as made by scanners. `dpi` gives
 * the size of the page, which is a slip without it.
 */
export type ScannedPdfPage = string | { jpeg: Buffer; width: number; height: number; dpi?: number }

const PAGE_POINTS = { width: 420, height: 120 } as const
const TEXT_PAGE_POINTS = { width: 420, height: 594 } as const
/** Hashes of an unknown password. */
const LOCK = `/Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'5a'.repeat(32)}> /U <${'c3'.repeat(32)}>`

/** A PDF with pages of text and images; `isLocked` adds a password. */
export function buildScannedPdf(pages: readonly ScannedPdfPage[], { isLocked = false } = {}): Buffer {
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')
  const objects = new Map<number, Buffer>([
    [1, pdfDictionary('/Type /Catalog /Pages 2 0 R')],
    [2, pdfDictionary(`/Type /Pages /Count ${pages.length} /Kids [${kids}]`)],
    [3, pdfDictionary('/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding')],
    [4, pdfDictionary(LOCK)],
  ])
  for (const [index, page] of pages.entries()) addPage(objects, pageNumber(index), page)
  return assemblePdf(objects, isLocked ? '/Encrypt 4 0 R /ID [<0102> <0102>]' : '')
}

function pageNumber(index: number): number {
  return 5 + 3 * index
}

function measurePage(page: ScannedPdfPage): { width: number; height: number } {
  if (typeof page === 'string') return TEXT_PAGE_POINTS
  const { dpi } = page
  return dpi === undefined ? PAGE_POINTS : { width: (72 * page.width) / dpi, height: (72 * page.height) / dpi }
}

function addPage(objects: Map<number, Buffer>, number: number, page: ScannedPdfPage): void {
  const { width, height } = measurePage(page)
  const resources = `<< /Font << /F1 3 0 R >> /XObject << /Im ${number + 2} 0 R >> >>`
  const box = `/MediaBox [0 0 ${width} ${height}]`
  objects.set(
    number,
    pdfDictionary(`/Type /Page /Parent 2 0 R ${box} /Resources ${resources} /Contents ${number + 1} 0 R`),
  )
  if (typeof page === 'string') {
    const shown = page.split('\n').map((line) => `${pdfString(line)} Tj T*`)
    const content = `BT /F1 10 Tf 12 TL 20 ${height - 40} Td ${shown.join(' ')} ET`
    objects.set(number + 1, pdfStream(content))
    return
  }
  const image = `/Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`
  objects.set(number + 1, pdfStream(`q ${width} 0 0 ${height} 0 0 cm /Im Do Q`))
  objects.set(number + 2, pdfStream(page.jpeg, image))
}
