import { buildZip, type ZipFiles } from './build-zip.ts'

/**
 * Relationships of a part by id: the last segment of the type, and the target as written in the
 * file.
 */
export type Links = Readonly<Record<string, readonly [type: string, target: string]>>

const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
].join(' ')

/** An XML part with all namespaces of the fixtures. */
export function xml(root: string, content: string, attributes = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${root} ${NAMESPACES} ${attributes}>${content}</${root}>`
}

/** A list of relationships. */
export function links(
  list: Links,
  base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
): string {
  const items = Object.entries(list).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${base}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`
}

/**
 * A Word file. `body` is the content of `w:body`, `parts` are further parts by name, `related` the
 * relationships of the document.
 */
export function buildDocx(body: string, parts: ZipFiles = {}, related: Links = {}): Buffer {
  return buildZip({
    '_rels/.rels': links({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': xml('w:document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': links(related),
    ...parts,
  })
}

/** A paragraph of a Word file with text and properties as XML. */
export function wordParagraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

/** A slide: the content of the shape tree, and relationships. */
export type BuiltSlide = { shapes: string; links?: Links; attributes?: string }

/** A PowerPoint file. Slide files are named in reverse order, which must not matter. */
export function buildPptx(slides: readonly BuiltSlide[], parts: ZipFiles = {}, related: Links = {}): Buffer {
  const name = (index: number) => `slide${slides.length - index}.xml`
  const listed = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rSlide${index}"/>`)
  const files: Record<string, string | Buffer> = {
    '_rels/.rels': links({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': xml('p:presentation', `<p:sldIdLst>${listed.join('')}</p:sldIdLst>`),
    'ppt/_rels/presentation.xml.rels': links({
      ...Object.fromEntries(slides.map((_, index) => [`rSlide${index}`, ['slide', `slides/${name(index)}`] as const])),
      ...related,
    }),
  }
  for (const [index, slide] of slides.entries()) {
    const tree = `<p:cSld><p:spTree>${slide.shapes}</p:spTree></p:cSld>`
    files[`ppt/slides/${name(index)}`] = xml('p:sld', tree, slide.attributes)
    files[`ppt/slides/_rels/${name(index)}.rels`] = links(slide.links ?? {})
  }
  return buildZip({ ...files, ...parts })
}

/** A shape of a slide: paragraphs, position (x, y, width, height) and placeholder as XML. */
export function slideShape(
  paragraphs: readonly string[],
  place: readonly number[] | null = null,
  placeholder = '',
): string {
  const [x = 0, y = 0, width = 0, height = 0] = place ?? []
  const box = `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`
  const text = paragraphs.map((paragraph) => `<a:p><a:r><a:t>${paragraph}</a:t></a:r></a:p>`).join('')
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place === null ? '' : box}</p:spPr><p:txBody>${text}</p:txBody></p:sp>`
}

/** A sheet: the content of `worksheet`, and relationships. */
export type BuiltSheet = { name: string; content: string; attributes?: string; links?: Links }

/**
 * An Excel file. Strings are shared strings as XML (`<t>…</t>`); `formats` are the number formats
 * of styles 1, 2, ….
 */
export function buildXlsx(
  sheets: readonly BuiltSheet[],
  { strings = [], formats = [], properties = '' }: { strings?: string[]; formats?: string[]; properties?: string } = {},
  parts: ZipFiles = {},
): Buffer {
  const listed = sheets.map(
    ({ name, attributes = '' }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" ${attributes} r:id="rSheet${index}"/>`,
  )
  const codes = formats.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(code)}"/>`)
  const styles = formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`)
  const files: Record<string, string | Buffer> = {
    '_rels/.rels': links({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': xml('workbook', `${properties}<sheets>${listed.join('')}</sheets>`),
    'xl/_rels/workbook.xml.rels': links({
      ...Object.fromEntries(
        sheets.map((_, index) => [`rSheet${index}`, ['worksheet', `worksheets/sheet${index + 1}.xml`] as const]),
      ),
      rStrings: ['sharedStrings', 'sharedStrings.xml'],
      rStyles: ['styles', '/xl/styles.xml'],
    }),
    'xl/sharedStrings.xml': xml('sst', strings.map((string) => `<si>${string}</si>`).join('')),
    'xl/styles.xml': xml(
      'styleSheet',
      `<numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs>`,
    ),
  }
  for (const [index, sheet] of sheets.entries()) {
    files[`xl/worksheets/sheet${index + 1}.xml`] = xml('worksheet', sheet.content)
    files[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`] = links(sheet.links ?? {})
  }
  return buildZip({ ...files, ...parts })
}

/** Rows of inline strings and numbers, from A1 on; `null` is an empty cell. */
export function sheetRows(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null, reference: string) => {
    if (value === null) return ''
    if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`
    return `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
  }
  const written = rows.map((row, index) => {
    const cells = row.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${index + 1}`))
    return `<row r="${index + 1}">${cells.join('')}</row>`
  })
  return `<sheetData>${written.join('')}</sheetData>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
