import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp, { type Sharp } from 'sharp'
import { assemblePdf, pdfDictionary, pdfStream, pdfString } from './assemble-pdf.ts'

/** The layout of a picture of text; by default, a slip of paper sized for its lines. */
export type PictureShape = {
  dpi?: number
  widthPoints?: number
  heightPoints?: number
  /** The size of the letters and the line spacing. */
  sizePoints?: number
  leadingPoints?: number
  /** The start of the first line, from the lower left corner. */
  start?: { x: number; y: number }
  /** `Symbol` shows Greek letters for Latin ones: `a` is alpha. */
  font?: 'Times-Roman' | 'Symbol'
}

const MARGIN_POINTS = 20
const POINTS_PER_INCH = 72

/**
 * Lines of Times, black on white, drawn by PDFium with built-in fonts, like a scan. No lines make a
 * blank slip. Letters of Latin-1 have their accents.
 */
export async function drawPicture(lines: readonly string[], shape: PictureShape = {}): Promise<Sharp> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(printLines(lines, shape))
    const scale = (shape.dpi ?? 150) / POINTS_PER_INCH
    const { data, width, height } = await document.getPage(0).render({ scale, render: 'bitmap', colorSpace: 'Gray' })
    const pixels = Buffer.from(data)
    document.destroy()
    return sharp(pixels, { raw: { width, height, channels: 1 } }).toColourspace('b-w')
  } finally {
    library.destroy()
  }
}

function printLines(lines: readonly string[], shape: PictureShape): Buffer {
  const { widthPoints = 400, sizePoints = 14, leadingPoints = 17, font = 'Times-Roman' } = shape
  const encoding = font === 'Symbol' ? '' : '/Encoding /WinAnsiEncoding'
  const { heightPoints = 2 * MARGIN_POINTS + leadingPoints * (lines.length + 1) } = shape
  const { x, y } = shape.start ?? { x: MARGIN_POINTS, y: heightPoints - MARGIN_POINTS - leadingPoints }
  const shown = lines.map((line) => `${pdfString(line)} Tj T*`).join('\n')
  const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${widthPoints} ${heightPoints}]`
  return assemblePdf(
    new Map([
      [1, pdfDictionary('/Type /Catalog /Pages 2 0 R')],
      [2, pdfDictionary('/Type /Pages /Kids [3 0 R] /Count 1')],
      [3, pdfDictionary(`${page} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>`)],
      [4, pdfStream(`BT /F1 ${sizePoints} Tf ${leadingPoints} TL ${x} ${y} Td\n${shown}\nET`)],
      [5, pdfDictionary(`/Type /Font /Subtype /Type1 /BaseFont /${font} ${encoding}`)],
    ]),
  )
}
