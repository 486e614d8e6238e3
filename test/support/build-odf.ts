import { buildZip, type ZipFiles, type ZipOddities } from './build-zip.ts'

const TYPE = 'application/vnd.oasis.opendocument'
const URN = 'urn:oasis:names:tc:opendocument:xmlns'
const NAMESPACES = [
  ...['office', 'style', 'text', 'table', 'meta', 'presentation', 'chart', 'form', 'manifest'].map(
    (name) => `xmlns:${name}="${URN}:${name}:1.0"`,
  ),
  `xmlns:draw="${URN}:drawing:1.0"`,
  `xmlns:fo="${URN}:xsl-fo-compatible:1.0"`,
  `xmlns:svg="${URN}:svg-compatible:1.0"`,
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:math="http://www.w3.org/1998/Math/MathML"',
].join(' ')

/** Body element of an OpenDocument file. */
export type OdfBody = 'text' | 'spreadsheet' | 'presentation' | 'drawing'

/** Parts of an OpenDocument file, as XML. */
export type OdfParts = {
  /** Styles of the content. */
  automatic?: string
  /** Shared styles, and the page styles with headers and footers. */
  styles?: string
  masters?: string
  title?: string
  files?: ZipFiles
  oddities?: ZipOddities
}

/** An XML part with the namespaces of the fixtures. */
export function odfXml(root: string, content: string, attributes = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?><office:${root} ${NAMESPACES} ${attributes}>${content}</office:${root}>`
}

/** An OpenDocument file as a zip archive. `files` replace or follow the parts. */
export function buildOdf(body: OdfBody, content: string, parts: OdfParts = {}): Buffer {
  const { automatic = '', styles = '', masters = '', title, files = {}, oddities = {} } = parts
  const meta = title === undefined ? {} : { 'meta.xml': odfXml('document-meta', metaOf(title)) }
  return buildZip(
    {
      mimetype: `${TYPE}.${body}`,
      'META-INF/manifest.xml': odfManifest(body),
      'content.xml': odfXml('document-content', automaticOf(automatic) + bodyOf(body, content)),
      'styles.xml': odfXml(
        'document-styles',
        `<office:styles>${styles}</office:styles><office:master-styles>${masters}</office:master-styles>`,
      ),
      ...meta,
      ...files,
    },
    oddities,
  )
}

/** An OpenDocument file as one XML file. */
export function buildFlatOdf(body: OdfBody, content: string, parts: OdfParts = {}): Buffer {
  const { automatic = '', styles = '', masters = '', title = '' } = parts
  const text = `${metaOf(title)}<office:styles>${styles}</office:styles>${automaticOf(automatic)}
    <office:master-styles>${masters}</office:master-styles>${bodyOf(body, content)}`
  return Buffer.from(odfXml('document', text, `office:mimetype="${TYPE}.${body}"`))
}

/** The list of parts; `entries` follow the entry of the file. */
export function odfManifest(body: OdfBody, entries = ''): string {
  const root = `<manifest:file-entry manifest:full-path="/" manifest:media-type="${TYPE}.${body}"/>`
  return `<?xml version="1.0"?><manifest:manifest ${NAMESPACES}>${root}${entries}</manifest:manifest>`
}

/** A paragraph with text as XML. */
export function odfParagraph(text: string, style = ''): string {
  return `<text:p${style === '' ? '' : ` text:style-name="${style}"`}>${text}</text:p>`
}

/** A table with cells as XML. */
export function odfTable(rows: readonly (readonly string[])[], name = 'T'): string {
  const cell = (text: string) =>
    `<table:table-cell>${text.startsWith('<') ? text : odfParagraph(text)}</table:table-cell>`
  const written = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`)
  return `<table:table table:name="${name}">${written.join('')}</table:table>`
}

/** A cell of a sheet: type, stored value and displayed text. */
export function odfCell(type: string, value: string, shown: string, more = ''): string {
  const name = { date: 'date-value', time: 'time-value', boolean: 'boolean-value', string: 'string-value' }[type]
  const attributes = `office:value-type="${type}" office:${name ?? 'value'}="${value}" ${more}`
  return `<table:table-cell ${attributes}>${shown === '' ? '' : odfParagraph(shown)}</table:table-cell>`
}

/** A slide with shapes as XML. */
export function odfSlide(shapes: string, attributes = ''): string {
  return `<draw:page draw:name="page" ${attributes}>${shapes}</draw:page>`
}

/** A shape with paragraphs; `place` is x, y, width and height in centimetres. */
export function odfShape(content: string, place: readonly number[] = [], kind = ''): string {
  const [x = 0, y = 0, width = 0, height = 0] = place
  const box = place.length === 0 ? '' : `svg:x="${x}cm" svg:y="${y}cm" svg:width="${width}cm" svg:height="${height}cm"`
  const shape = kind === '' ? '' : `presentation:class="${kind}"`
  return `<draw:frame ${box} ${shape}><draw:text-box>${content}</draw:text-box></draw:frame>`
}

function metaOf(title: string): string {
  return `<office:meta><dc:title>${title}</dc:title></office:meta>`
}

function automaticOf(styles: string): string {
  return `<office:automatic-styles>${styles}</office:automatic-styles>`
}

function bodyOf(body: OdfBody, content: string): string {
  return `<office:body><office:${body}>${content}</office:${body}></office:body>`
}
