import sharp from 'sharp'
import { printPage } from '../providers/printed-page.ts'

const A4_POINTS = '0 0 595 842'

/** A PDF as a scanner makes it: each page is a JPEG of a printed page with these lines, and has no text. */
export async function buildScannedPdf(pages: readonly (readonly string[])[], dpi = 150): Promise<Buffer> {
  const objects: Buffer[] = []
  for (const lines of pages) objects.push(...(await toPage(lines, { dpi, first: 3 + objects.length })))
  const kids = pages.map((_, index) => `${3 + 3 * index} 0 R`).join(' ')
  const catalog = Buffer.from('<< /Type /Catalog /Pages 2 0 R >>')
  return assemble([catalog, Buffer.from(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`), ...objects])
}

/** The page, its picture and what draws it: the objects from number `first`. */
async function toPage(lines: readonly string[], { dpi, first }: { dpi: number; first: number }): Promise<Buffer[]> {
  const { data, width, height } = await printPage(lines, dpi)
  const jpeg = await sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .jpeg({ quality: 60 })
    .toBuffer()
  const resources = `<< /XObject << /Scan ${first + 1} 0 R >> >>`
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [${A4_POINTS}] /Resources ${resources} /Contents ${first + 2} 0 R >>`
  const picture = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`
  return [Buffer.from(page), toStream(picture, jpeg), toStream('', Buffer.from('q 595 0 0 842 0 0 cm /Scan Do Q'))]
}

function toStream(entries: string, content: Buffer): Buffer {
  const head = `<< ${entries} /Length ${content.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')])
}

function assemble(objects: readonly Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  let at = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const start = at
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(whole)
    at += whole.length
    return `${String(start).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  parts.push(Buffer.from(`${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`))
  return Buffer.concat(parts)
}
