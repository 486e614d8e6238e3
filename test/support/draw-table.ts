import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import type { Raster } from '../../src/models/recognizer.ts'
import { assemblePdf, pdfDictionary, pdfStream, pdfString } from './assemble-pdf.ts'

/** Rows of cells, and how they are drawn. An empty cell is blank. */
export type DrawnTable = {
  rows: readonly (readonly string[])[]
  /** Left edge of each column, or right edge of a column in `rightAligned`, in points. */
  columns: readonly number[]
  rightAligned?: readonly number[]
  font: 'Helvetica' | 'Times-Roman' | 'Courier'
  /** Lines between all rows and columns. */
  hasRules?: boolean
}

/** Wear of a scan: clockwise skew, and the deviation of the noise in gray levels. */
export type ScanWear = { degrees: number; noise: number }

const PAGE = { width: 595, height: 842, top: 90 } as const
const SIZE = 10
const LEADING = 19
/** Widths of letters in Helvetica and Times are close to this share of the size in figures. */
const FIGURE_WIDTH = { Helvetica: 0.556, 'Times-Roman': 0.5, Courier: 0.6 } as const
const NARROW_WIDTH = { Helvetica: 0.278, 'Times-Roman': 0.25, Courier: 0.6 } as const

/** A page of A4 with a table, like a scan at 150 dpi. Amounts at the right consist of figures. */
export async function drawTable(table: DrawnTable, { degrees, noise }: ScanWear): Promise<Raster> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(printTable(table))
    const drawn = await document.getPage(0).render({ scale: 150 / 72, render: 'bitmap', colorSpace: 'Gray' })
    const pixels = Buffer.from(drawn.data)
    document.destroy()
    const raw = { width: drawn.width, height: drawn.height, channels: 1 } as const
    const turned = sharp(pixels, { raw }).rotate(degrees, { background: '#fff' }).toColourspace('b-w')
    const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true })
    return { data: addNoise(data, noise), width: info.width, height: info.height, channels: 1, dpi: 150 }
  } finally {
    library.destroy()
  }
}

function printTable({ rows, columns, rightAligned = [], font, hasRules = false }: DrawnTable): Buffer {
  const y = (row: number) => PAGE.height - PAGE.top - row * LEADING
  const texts = rows.flatMap((row, at) =>
    row.map((text, column) => {
      const edge = columns[column] ?? 0
      const x = rightAligned.includes(column) ? edge - widthOf(text, font) : edge
      return `BT /F1 ${SIZE} Tf ${x.toFixed(1)} ${y(at)} Td ${pdfString(text)} Tj ET`
    }),
  )
  const borders = [
    40,
    ...columns.slice(1).map((edge, at) => (rightAligned.includes(at + 1) ? edge - 62 : edge - 6)),
    555,
  ]
  const [top, bottom] = [y(-1) - 6, y(rows.length - 1) - 6]
  const rules = [
    ...Array.from({ length: rows.length + 1 }, (_, at) => `40 ${y(at - 1) - 6} m 555 ${y(at - 1) - 6} l S`),
    ...borders.map((x) => `${x} ${top} m ${x} ${bottom} l S`),
  ]
  const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}]`
  return assemblePdf(
    new Map([
      [1, pdfDictionary('/Type /Catalog /Pages 2 0 R')],
      [2, pdfDictionary('/Type /Pages /Kids [3 0 R] /Count 1')],
      [3, pdfDictionary(`${page} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>`)],
      [4, pdfStream(['0.8 w', ...texts, ...(hasRules ? rules : [])].join('\n'))],
      [5, pdfDictionary(`/Type /Font /Subtype /Type1 /BaseFont /${font}`)],
    ]),
  )
}

function widthOf(text: string, font: DrawnTable['font']): number {
  const widths = [...text].map((sign) => (/[.,]/.test(sign) ? NARROW_WIDTH[font] : FIGURE_WIDTH[font]))
  return SIZE * widths.reduce((sum, width) => sum + width, 0)
}

/** Gray paper and noise, the same every time. */
function addNoise(data: Buffer, deviation: number): Uint8Array {
  if (deviation === 0) return Uint8Array.from(data)
  let seed = 29
  const draw = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  return Uint8Array.from(data, (value) => {
    const noise = (draw() + draw() + draw() - 1.5) * 2 * deviation
    return Math.min(255, Math.max(0, value * 0.9 + 15 + noise))
  })
}
