import type { OfficeKind } from './ooxml/package/office-package.ts'
import type { ParseEvent, SniffedType, SourceFile } from './parse-event.ts'
import type { CreateReader } from './text/block-reader.ts'
import { readTextFile } from './text/read-text-file.ts'

/** Reads a file of one format, which `type` names with the encoding where it is text. */
export type ReadDocument = (source: SourceFile, type: SniffedType) => AsyncIterable<ParseEvent>

/**
 * The readers of the formats that `isReadInChild` names, by name of the format; each is loaded when it is first needed. They run in a
 * child process.
 */
export const READ_DOCUMENT: Readonly<Record<string, () => Promise<ReadDocument>>> = {
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  docx: () => loadPackageReader('docx'),
  pptx: () => loadPackageReader('pptx'),
  xlsx: () => loadPackageReader('xlsx'),
  doc: async () => (await import('./doc/read-doc.ts')).readDoc,
  ppt: async () => (await import('./ppt/read-ppt.ts')).readPpt,
  html: async () => readWith((await import('./html/html-reader.ts')).createHtmlReader),
  xml: async () => readWith((await import('./xml/xml-reader.ts')).createXmlReader),
  mail: async () => (await import('./mail/read-mail.ts')).readMail,
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
  const { readPackage } = await import('./ooxml/read-package.ts')
  return (source) => readPackage(source, kind)
}

async function loadImageReader(): Promise<ReadDocument> {
  return (await import('./image/read-image.ts')).readImage
}
