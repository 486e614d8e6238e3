/** A page of a made PDF: lines of 10 point Helvetica from the top, and a JPEG. */
export type PdfPage = {
  lines?: readonly string[]
  /** Drawn over the whole page, or a point wide in its corner where it is only there to be carried. */
  jpeg?: { data: Buffer; width: number; height: number; isWholePage: boolean }
}

const A4_POINTS = { width: 595, height: 842 } as const

/** Writes a PDF of A4 pages. Lines are of Latin letters. */
export function makePdf(pages: readonly PdfPage[]): Buffer {
  const bodies: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + 3 * i} 0 R`).join(' ')}] >>`,
    ),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    ...pages.flatMap((page, index) => pageObjects(page, 4 + 3 * index)),
  ]
  return assemble(bodies)
}

/** The page, its content, and its picture. */
function pageObjects({ lines = [], jpeg }: PdfPage, number: number): Buffer[] {
  const { width, height } = A4_POINTS
  const resources = `<< /Font << /F1 3 0 R >> /XObject << /Im ${number + 2} 0 R >> >>`
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const size = jpeg?.isWholePage === true ? `${width} 0 0 ${height}` : '1 0 0 1'
  const drawn = jpeg === undefined ? '' : `q ${size} 0 0 cm /Im Do Q\n`
  const image =
    jpeg === undefined
      ? Buffer.from('null')
      : stream(
          jpeg.data,
          `/Type /XObject /Subtype /Image /Width ${jpeg.width} /Height ${jpeg.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`,
        )
  return [
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources ${resources} /Contents ${number + 1} 0 R >>`,
    ),
    stream(Buffer.from(`${drawn}BT /F1 10 Tf 14 TL 50 790 Td\n${shown}\nET`, 'latin1'), ''),
    image,
  ]
}

function stream(data: Buffer, entries: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${entries} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ])
}

function assemble(bodies: readonly Buffer[]): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n')]
  let at = pieces[0]?.length ?? 0
  const offsets = bodies.map((body, index) => {
    const object = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    const offset = at
    pieces.push(object)
    at += object.length
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = bodies.length + 1
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(pieces)
}
