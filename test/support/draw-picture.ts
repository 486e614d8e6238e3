import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp, { type Sharp } from 'sharp'

/** How a picture of text is drawn. */
export type PictureShape = { dpi?: number; widthPoints?: number; heightPoints?: number }

const LEADING_POINTS = 17
const MARGIN_POINTS = 20
const POINTS_PER_INCH = 72

/** Lines of 14 point Times, black on white, drawn by PDFium with its own fonts: what a scanner would make of a slip of paper. None is a blank slip. */
export async function drawPicture(lines: readonly string[], shape: PictureShape = {}): Promise<Sharp> {
  const { dpi = 150, widthPoints = 400, heightPoints = 2 * MARGIN_POINTS + LEADING_POINTS * (lines.length + 1) } = shape
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(slip(lines, widthPoints, heightPoints))
    const scale = dpi / POINTS_PER_INCH
    const { data, width, height } = await document.getPage(0).render({ scale, render: 'bitmap', colorSpace: 'Gray' })
    const pixels = Buffer.from(data)
    document.destroy()
    return sharp(pixels, { raw: { width, height, channels: 1 } }).toColourspace('b-w')
  } finally {
    library.destroy()
  }
}

function slip(lines: readonly string[], width: number, height: number): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const content = `BT /F1 14 Tf ${LEADING_POINTS} TL ${MARGIN_POINTS} ${height - MARGIN_POINTS - LEADING_POINTS} Td\n${shown}\nET`
  // PDFium finds the objects by itself where there is no table of them.
  return Buffer.from(
    `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << /Length ${content.length} >>
stream
${content}
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> endobj
trailer << /Root 1 0 R >>
%%EOF`,
    'latin1',
  )
}
