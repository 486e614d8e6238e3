/** A page of a made PDF: lines of text, or a JPEG that fills the page, as scanners make them. */
export type ScannedPdfPage = string | { jpeg: Buffer; width: number; height: number }

const PAGE_POINTS = { width: 420, height: 120 } as const
const TEXT_PAGE_POINTS = { width: 420, height: 594 } as const
/** Hashes of a password that nobody knows. */
const LOCK = `/Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'5a'.repeat(32)}> /U <${'c3'.repeat(32)}>`

/** A PDF of pages of text and of pictures; `isLocked` makes it one that asks for a password. */
export function buildScannedPdf(pages: readonly ScannedPdfPage[], { isLocked = false } = {}): Buffer {
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')
  const objects = new Map<number, Buffer>([
    [1, dictionary('/Type /Catalog /Pages 2 0 R')],
    [2, dictionary(`/Type /Pages /Count ${pages.length} /Kids [${kids}]`)],
    [3, dictionary('/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding')],
    [4, dictionary(LOCK)],
  ])
  for (const [index, page] of pages.entries()) addPage(objects, pageNumber(index), page)
  return assemble(objects, isLocked ? '/Encrypt 4 0 R /ID [<0102> <0102>]' : '')
}

function pageNumber(index: number): number {
  return 5 + 3 * index
}

function addPage(objects: Map<number, Buffer>, number: number, page: ScannedPdfPage): void {
  const { width, height } = typeof page === 'string' ? TEXT_PAGE_POINTS : PAGE_POINTS
  const resources = `<< /Font << /F1 3 0 R >> /XObject << /Im ${number + 2} 0 R >> >>`
  const box = `/MediaBox [0 0 ${width} ${height}]`
  objects.set(
    number,
    dictionary(`/Type /Page /Parent 2 0 R ${box} /Resources ${resources} /Contents ${number + 1} 0 R`),
  )
  if (typeof page === 'string') {
    const shown = page
      .replace(/[\\()]/g, '\\$&')
      .split('\n')
      .map((line) => `(${line}) Tj T*`)
    const content = `BT /F1 10 Tf 12 TL 20 ${height - 40} Td ${shown.join(' ')} ET`
    objects.set(number + 1, stream('', Buffer.from(content, 'latin1')))
    return
  }
  const image = `/Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`
  objects.set(number + 1, stream('', Buffer.from(`q ${width} 0 0 ${height} 0 0 cm /Im Do Q`)))
  objects.set(number + 2, stream(image, page.jpeg))
}

function dictionary(entries: string): Buffer {
  return Buffer.from(`<< ${entries} >>`, 'latin1')
}

function stream(entries: string, content: Buffer): Buffer {
  const head = `<< ${entries} /Length ${content.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), content, Buffer.from('\nendstream')])
}

function assemble(objects: ReadonlyMap<number, Buffer>, trailer: string): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets = new Map<number, number>()
  let at = 9
  for (const [number, body] of objects) {
    const piece = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    offsets.set(number, at)
    pieces.push(piece)
    at += piece.length
  }
  const size = Math.max(...objects.keys()) + 1
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    return offset === undefined ? '0000000000 65535 f ' : `${String(offset).padStart(10, '0')} 00000 n `
  })
  const table = `xref\n0 ${size}\n${entries.join('\n')}\ntrailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(table, 'latin1')])
}
