import { buildZip, type ZipFiles, type ZipOddities } from './build-zip.ts'

/** A chapter: its file name, and the content of its body. */
export type BuiltChapter = { name: string; body: string }

/** Properties of a book beside its chapters. */
export type EpubParts = {
  title?: string
  authors?: readonly string[]
  /** List items of the navigation document. */
  nav?: string
  /** Points of the table of contents of EPUB 2. */
  ncx?: string
  files?: ZipFiles
  oddities?: ZipOddities
}

/** The container that names the package document. */
const CONTAINER = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

/** A book; `files` replace or follow the parts. */
export function buildEpub(chapters: readonly BuiltChapter[], parts: EpubParts = {}): Buffer {
  const { title = 'The Varn light', authors = [], nav = '', ncx = '', files = {}, oddities = {} } = parts
  const items = chapters.map(
    ({ name }, index) => `<item id="c${index}" href="${encodeURI(name)}" media-type="application/xhtml+xml"/>`,
  )
  const spine = chapters.map((_, index) => `<itemref idref="c${index}"/>`)
  const contents = [
    nav === '' ? '' : '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    ncx === '' ? '' : '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
  ]
  const creators = authors.map((author) => `<dc:creator>${author}</dc:creator>`).join('')
  const metadata = `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title>${creators}</metadata>`
  return buildZip(
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': CONTAINER,
      'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf">${metadata}
        <manifest>${items.join('')}${contents.join('')}</manifest><spine toc="ncx">${spine.join('')}</spine></package>`,
      ...(nav === '' ? {} : { 'OEBPS/nav.xhtml': page(`<nav epub:type="toc"><ol>${nav}</ol></nav>`) }),
      ...(ncx === '' ? {} : { 'OEBPS/toc.ncx': `<ncx><navMap>${ncx}</navMap></ncx>` }),
      ...Object.fromEntries(chapters.map(({ name, body }) => [`OEBPS/${name}`, page(body)])),
      ...files,
    },
    oddities,
  )
}

function page(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head><title>Unused</title></head><body>${body}</body></html>`
}
