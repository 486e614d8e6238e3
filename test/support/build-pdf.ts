import { assemblePdf, pdfDictionary, pdfStream, pdfString } from './assemble-pdf.ts'

/**
 * A page of a fixture. `content` uses the operators of PDF 32000-1; fonts are F1 (Helvetica), F2
 * (bold) and F3 (Courier).
 */
export type FixturePage = {
  content: string
  /** Further entries of the page's dictionary: `/Rotate 90`. */
  entries?: string
  /** Annotations, each a dictionary without brackets. */
  annotations?: readonly string[]
  mediaBox?: string
}

const IMAGE = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'

/**
 * A PDF of these pages. `/Im` is an image, `/Fm` a form that shows the image. `catalog` adds
 * entries to the catalog, `objects` adds objects from number 10, `info` is the information
 * dictionary.
 */
export function buildPdf(
  pages: readonly FixturePage[],
  { catalog = '', objects = [], info = '' }: { catalog?: string; objects?: readonly string[]; info?: string } = {},
): Buffer {
  const first = 10 + objects.length
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  const font = (name: string) =>
    pdfDictionary(`/Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding`)
  const bodies = new Map<number, Buffer>([
    [1, pdfDictionary(`/Type /Catalog /Pages 2 0 R ${catalog}`)],
    [2, pdfDictionary(`/Type /Pages /Count ${pages.length} /Kids [${kids}]`)],
    [3, font('Helvetica')],
    [4, font('Helvetica-Bold')],
    [5, font('Courier')],
    [6, pdfStream('0', IMAGE)],
    [
      7,
      pdfStream(
        'q 612 0 0 792 0 0 cm /Im Do Q',
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /Im 6 0 R >> >>',
      ),
    ],
    [8, pdfDictionary(info)],
    ...objects.map((body, index) => [10 + index, Buffer.from(body, 'latin1')] as const),
  ])
  for (const [index, page] of pages.entries()) {
    const number = first + 2 * index
    bodies.set(number, pageDictionary(page, number + 1))
    bodies.set(number + 1, pdfStream(page.content))
  }
  return assemblePdf(bodies, '/Info 8 0 R')
}

function pageDictionary({ entries = '', annotations = [], mediaBox = '0 0 612 792' }: FixturePage, content: number) {
  const resources = '<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << /Im 6 0 R /Fm 7 0 R >> >>'
  const annots = annotations.map((body) => (/^\d+ 0 R$/.test(body) ? body : `<< /Type /Annot ${body} >>`)).join(' ')
  const shown = `/MediaBox [${mediaBox}] /Resources ${resources} /Contents ${content} 0 R /Annots [${annots}]`
  return pdfDictionary(`/Type /Page /Parent 2 0 R ${shown} ${entries}`)
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
    .map((text, index) => `BT /${font} ${size} Tf ${x} ${y - index * leading} Td ${pdfString(text)} Tj ET`)
    .join('\n')
}
