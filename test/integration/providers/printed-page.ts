import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Raster } from '../../../src/providers/recognizer.ts'

const A4_POINTS = { width: 595, height: 842 } as const
const POINTS_PER_INCH = 72

/** A page with lines of 12 point Times, as a scanner at so many dots an inch would see it: drawn by PDFium, whose fonts are its own. */
export async function printPage(lines: readonly string[], dpi: number): Promise<Raster> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(makePdf(lines))
    const page = await document
      .getPage(0)
      .render({ scale: dpi / POINTS_PER_INCH, render: 'bitmap', colorSpace: 'Gray' })
    const data = new Uint8Array(page.data)
    document.destroy()
    return { data, width: page.width, height: page.height, channels: 1, dpi }
  } finally {
    library.destroy()
  }
}

function makePdf(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const content = `BT /F1 12 Tf 18 TL 60 770 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${A4_POINTS.width} ${A4_POINTS.height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}${trailer}`,
    'latin1',
  )
}
