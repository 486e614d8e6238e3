import type { OfficeKind } from '../ooxml/package/office-package.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import { renderPage } from '../pdf/render-page.ts'
import type { CreateReader } from '../text/block-reader.ts'
import { readTextFile } from '../text/read-text.ts'
import type { Tasks } from './protocol.ts'

/**
 * Tasks of a child process: `parse` yields {@link ParseEvent}s, `render-page` returns an image.
 * Modules with further tasks include these in their own `tasks`.
 */
export const tasks: Tasks = { parse, 'render-page': drawPage }

/** Input of `parse`. */
type ParseInput = { source: SourceFile; type: SniffedType }
/** Input of `render-page`. */
export type RenderInput = { source: SourceFile; page: number; dpi: number; colours: 'gray' | 'rgba' }

async function* parse(input: unknown): AsyncGenerator<ParseEvent, void> {
  const { source, type } = input as ParseInput
  const load = READ_DOCUMENT[type.format]
  if (load === undefined) throw new Error(`no reader for the format ${type.format}`)
  const read = await load()
  yield* read(source, type)
}

// biome-ignore lint/correctness/useYield: the image is returned whole.
async function* drawPage(input: unknown): AsyncGenerator<never, unknown> {
  const { source, page, dpi, colours } = input as RenderInput
  return renderPage(source, page, { dpi, colours })
}

/** Reads a file of a single format. `type` names the format, and the encoding of text. */
type ReadDocument = (source: SourceFile, type: SniffedType) => AsyncIterable<ParseEvent>

/**
 * Readers of the formats that `isReadInChild` names, by format. Loaded on first use, in a child
 * process.
 */
export const READ_DOCUMENT: Readonly<Record<string, () => Promise<ReadDocument>>> = {
  pdf: async () => (await import('../pdf/read-pdf.ts')).readPdf,
  docx: () => loadPackageReader('docx'),
  pptx: () => loadPackageReader('pptx'),
  xlsx: () => loadPackageReader('xlsx'),
  doc: async () => (await import('../read-office.ts')).readDoc,
  xls: async () => (await import('../read-office.ts')).readXls,
  ppt: async () => (await import('../read-office.ts')).readPpt,
  rtf: async () => (await import('../rtf/rtf-reader.ts')).readRtf,
  odt: loadOpenDocumentReader,
  ods: loadOpenDocumentReader,
  odp: loadOpenDocumentReader,
  epub: async () => (await import('../html/epub-events.ts')).readEpub,
  html: async () => readWith((await import('../html/html-reader.ts')).createHtmlReader),
  xml: async () => readWith((await import('../xml/xml-reader.ts')).createXmlReader),
  mail: async () => (await import('../mail/mail-reader.ts')).readMail,
  png: loadImageReader,
  jpeg: loadImageReader,
  webp: loadImageReader,
  gif: loadImageReader,
  tiff: loadImageReader,
  bmp: loadImageReader,
}

function readWith(createReader: CreateReader): ReadDocument {
  return (source, type) => readTextFile(source, type, createReader)
}

async function loadPackageReader(kind: OfficeKind): Promise<ReadDocument> {
  const { readPackage } = await import('../read-office.ts')
  return (source) => readPackage(source, kind)
}

async function loadOpenDocumentReader(): Promise<ReadDocument> {
  return (await import('../read-office.ts')).readOpenDocument
}

async function loadImageReader(): Promise<ReadDocument> {
  return (await import('../images/open-image.ts')).readImage
}
