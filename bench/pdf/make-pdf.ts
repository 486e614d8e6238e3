import { assemblePdf, pdfDictionary, pdfStream, pdfString } from '../../test/support/assemble-pdf.ts'

/** A page of a made PDF: lines of 10 point Helvetica from the top, and a JPEG. */
export type PdfPage = {
  lines?: readonly string[]
  /** Drawn over the whole page, or a point wide in the corner to carry bytes only. */
  jpeg?: { data: Buffer; width: number; height: number; isWholePage: boolean }
}

const A4_POINTS = { width: 595, height: 842 } as const
/** The object number of the first page, after the objects shared by all pages. */
const FIRST_PAGE = 4

/** Writes a PDF of A4 pages. Lines are of Latin letters. */
export function makePdf(pages: readonly PdfPage[]): Buffer {
  const kids = pages.map((_, index) => `${FIRST_PAGE + 3 * index} 0 R`).join(' ')
  const objects = [
    pdfDictionary('/Type /Catalog /Pages 2 0 R'),
    pdfDictionary(`/Type /Pages /Count ${pages.length} /Kids [${kids}]`),
    pdfDictionary('/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding'),
    ...pages.flatMap((page, index) => pageObjects(page, FIRST_PAGE + 3 * index)),
  ]
  return assemblePdf(new Map(objects.map((body, index) => [index + 1, body])))
}

/** The objects of a page: page, content and picture. */
function pageObjects({ lines = [], jpeg }: PdfPage, number: number): Buffer[] {
  const { width, height } = A4_POINTS
  const resources = `<< /Font << /F1 3 0 R >> /XObject << /Im ${number + 2} 0 R >> >>`
  const shown = lines.map((line) => `${pdfString(line)} Tj T*`).join('\n')
  const size = jpeg?.isWholePage === true ? `${width} 0 0 ${height}` : '1 0 0 1'
  const drawn = jpeg === undefined ? '' : `q ${size} 0 0 cm /Im Do Q\n`
  return [
    pdfDictionary(
      `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources ${resources} /Contents ${number + 1} 0 R`,
    ),
    pdfStream(`${drawn}BT /F1 10 Tf 14 TL 50 790 Td\n${shown}\nET`),
    jpeg === undefined
      ? Buffer.from('null')
      : pdfStream(
          jpeg.data,
          `/Type /XObject /Subtype /Image /Width ${jpeg.width} /Height ${jpeg.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`,
        ),
  ]
}
