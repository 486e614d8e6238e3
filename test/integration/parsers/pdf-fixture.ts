/** PDFs made by hand, for tests: objects, a table of where they stand, nothing else. */

/** What a page of a fixture has. `content` is in the operators of PDF 32000-1; fonts are F1 (Helvetica), F2 (bold) and F3 (Courier). */
export type FixturePage = {
  content: string
  /** Further entries of the page's dictionary: `/Rotate 90`. */
  entries?: string
  /** Annotations, each a dictionary without its brackets. */
  annotations?: readonly string[]
  mediaBox?: string
}

const IMAGE =
  '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>'

/** A PDF of these pages. `/Im` is an image, `/Fm` a form that shows it; `catalog` has further entries of the catalog, `objects` further objects from number 10. */
export function buildPdf(
  pages: readonly FixturePage[],
  { catalog = '', objects = [] }: { catalog?: string; objects?: readonly string[] } = {},
): Buffer {
  const first = 10 + objects.length
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  const bodies = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    [4, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>'],
    [5, '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>'],
    [6, `${IMAGE}\nstream\n0\nendstream`],
    [
      7,
      stream(
        'q 612 0 0 792 0 0 cm /Im Do Q',
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /Im 6 0 R >> >>',
      ),
    ],
    ...objects.map((body, index) => [10 + index, body] as const),
  ])
  for (const [index, page] of pages.entries()) {
    const { content, entries = '', annotations = [], mediaBox = '0 0 612 792' } = page
    const resources = '<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << /Im 6 0 R /Fm 7 0 R >> >>'
    const annots = annotations.map((body) => (/^\d+ 0 R$/.test(body) ? body : `<< /Type /Annot ${body} >>`)).join(' ')
    bodies.set(
      first + 2 * index,
      `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox}] /Resources ${resources} /Contents ${first + 2 * index + 1} 0 R /Annots [${annots}] ${entries} >>`,
    )
    bodies.set(first + 2 * index + 1, stream(content, ''))
  }
  return assemble(bodies)
}

/** Lines of text, each at its place: `x`, `y` from the lower left corner, in points. */
export function lines(
  texts: readonly string[],
  {
    x,
    y,
    size = 10,
    leading = 12,
    font = 'F1',
  }: { x: number; y: number; size?: number; leading?: number; font?: string },
): string {
  return texts
    .map((text, index) => `BT /${font} ${size} Tf ${x} ${y - index * leading} Td (${quote(text)}) Tj ET`)
    .join('\n')
}

function quote(text: string): string {
  return text.replace(/[\\()]/g, (mark) => `\\${mark}`)
}

function stream(content: string, entries: string): string {
  return `<< /Length ${Buffer.byteLength(content, 'latin1')} ${entries} >>\nstream\n${content}\nendstream`
}

function assemble(bodies: ReadonlyMap<number, string>): Buffer {
  let text = '%PDF-1.7\n'
  const offsets = new Map<number, number>()
  for (const [number, body] of bodies) {
    offsets.set(number, text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const size = Math.max(...bodies.keys()) + 1
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    return offset === undefined ? '0000000000 65535 f ' : `${String(offset).padStart(10, '0')} 00000 n `
  })
  const table = `xref\n0 ${size}\n${entries.join('\n')}\ntrailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + table, 'latin1')
}
