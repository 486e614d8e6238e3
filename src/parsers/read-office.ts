import { ApiError } from '../errors.ts'
import { type ByteSource, bufferBytes, readOpenFile } from './byte-source.ts'
import { decodeBytes } from './encoding/decode-file.ts'
import { type CompoundFile, openCompoundFile, readTitle } from './legacy-office/compound-file.ts'
import { openPresentation } from './legacy-office/presentation.ts'
import { presentationEvents } from './legacy-office/presentation-events.ts'
import { wordBlocks } from './legacy-office/story-blocks.ts'
import { openWordFile, readWord2File, type WordFile } from './legacy-office/word-file.ts'
import { createMailReader, readPage } from './mail/mail-reader.ts'
import { CONTENT_PART, findBodyKind, META_PART, type OdfFile, type OdfKind, openOdf } from './odf/odf-file.ts'
import { odpEvents } from './odf/odp-events.ts'
import { odsEvents } from './odf/ods-events.ts'
import { odtEvents } from './odf/odt-events.ts'
import type { ObjectSources } from './odf/text-handler.ts'
import type { ReadEmbedded } from './ooxml/office-block.ts'
import type { OfficeKind } from './ooxml/package/office-package.ts'
import { createUnpackBudget, type UnpackBudget } from './ooxml/package/unpack-budget.ts'
import { packageEvents } from './ooxml/package-events.ts'
import { type Block, isTooLargeUnpacked, type ParseEvent, type SourceFile, unreadable } from './parse-event.ts'
import { createPlainTextReader } from './plain-text.ts'
import { readRtfBytes } from './rtf/rtf-reader.ts'
import { sniffBytes } from './sniff.ts'
import { readText } from './text/read-text.ts'
import { openBareWorkbook, openWorkbook } from './xls/workbook.ts'
import { workbookEvents } from './xls/workbook-events.ts'

const MAX_WORD2_BYTES = 100 * 1024 * 1024
/** Storage of embedded files. MS-DOC 2.1.4. */
const OBJECT_POOL = 'ObjectPool'
const MAX_PACKAGE_BYTES = 64 * 1024 * 1024
/** Stream of an Office 2007+ file inside an older file. */
const PACKAGE_STREAM = 'Package'
/** First bytes of a zip archive, and of a compound file. */
const ZIP_MAGIC = 'PK'
const COMPOUND_FILE_MAGIC = '\xd0\xcf'

/**
 * Reads a Word file from before 2007 (Word 97 to 2003, 95, 6, 2): paragraphs, headings by style,
 * numbered list items, table rows. Also notes, comments, text boxes, headers and footers, and
 * embedded files one level deep. Deleted tracked text is skipped. The format has no page breaks.
 *
 * Throws `unprocessable_document` if encrypted, damaged or without text.
 */
export function readDoc(file: SourceFile): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, readDocBytes)
}

/** The same from bytes. */
export async function* readDocBytes(source: ByteSource): AsyncGenerator<ParseEvent> {
  let characters = 0
  try {
    for await (const event of listEvents(source)) {
      if ('block' in event) characters += event.block.text.length
      yield event
    }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The Word file is damaged: it cannot be read.', error)
  }
  if (characters === 0) throw unreadable('The Word file has no text.')
}

async function* listEvents(source: ByteSource): AsyncGenerator<ParseEvent> {
  const head = await source.read(0, 2)
  // Word 2 wrote its stream directly to the file.
  if (head.equals(Buffer.from([0xdb, 0xa5]))) {
    yield* eventsOf(readWord2File(await source.read(0, MAX_WORD2_BYTES)))
    return
  }
  const container = await openCompoundFile(source)
  const word = await openWordFile(container)
  const title = await readTitle(container)
  if (title !== null) yield { title, over: 'file-name' }
  yield* eventsOf(word)
  yield* embeddedEvents(container)
}

function* eventsOf(word: WordFile): Generator<ParseEvent> {
  for (const block of wordBlocks(word)) yield { block }
}

async function* embeddedEvents(container: CompoundFile): AsyncGenerator<ParseEvent> {
  for (const [index, entry] of container.entries.entries()) {
    const parent = entry.parent === null ? undefined : container.entries[entry.parent]
    if (!entry.isStream && parent?.name === OBJECT_POOL) yield* readEmbeddedStorage(container, index)
  }
}

/**
 * Reads a PowerPoint file of 97 to 2003: slides as pages, titles as headings, text, tables, notes,
 * comments. Embedded files are read one level deep. Masters and repeated footers are skipped.
 *
 * Throws `unprocessable_document` if encrypted, damaged, from before 97 or without text.
 */
export function readPpt(file: SourceFile): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, readPptBytes)
}

/** The same from bytes. */
export async function* readPptBytes(source: ByteSource): AsyncGenerator<ParseEvent> {
  try {
    const container = await openCompoundFile(source)
    const presentation = await openPresentation(container)
    const title = await readTitle(container)
    if (title !== null) yield { title, over: 'file-name' }
    yield* presentationEvents(presentation, (bytes) => readEmbedded(bytes))
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The PowerPoint file is damaged: it cannot be read.', error)
  }
}

/**
 * Reads an Excel file of 5.0 to 2003: sheets as pages, rows, text boxes, charts, comments, printed
 * headers. Embedded files are read one level deep.
 *
 * Throws `unprocessable_document` if encrypted, damaged, older or without text.
 */
export function readXls(file: SourceFile): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, readXlsBytes)
}

/** The same from bytes. */
export async function* readXlsBytes(source: ByteSource): AsyncGenerator<ParseEvent> {
  let hasText = false
  try {
    for await (const event of xlsEvents(source)) {
      hasText ||= 'block' in event
      yield event
    }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The Excel file is damaged: it cannot be read.', error)
  }
  if (!hasText) throw unreadable('The Excel file has no text.')
}

async function* xlsEvents(source: ByteSource): AsyncGenerator<ParseEvent> {
  const head = await source.read(0, 2)
  if (head.toString('latin1') !== COMPOUND_FILE_MAGIC) {
    yield { title: null, over: 'headings' }
    yield* workbookEvents(await openBareWorkbook(source), null)
    return
  }
  const container = await openCompoundFile(source)
  const workbook = await openWorkbook(container)
  if (workbook === null) throw unreadable('The Office file contains no workbook.')
  // A workbook starts with a sheet name, which is no title.
  yield { title: await readTitle(container), over: 'headings' }
  const unread = new Map(container.entries.map(({ name, isStream }, index) => [isStream ? '' : name, index]))
  yield* workbookEvents(workbook, async function* (name) {
    const storage = unread.get(name)
    unread.delete(name)
    if (storage !== undefined) yield* readEmbeddedStorage(container, storage)
  })
}

/**
 * Reads an Office file of 2007 or later; `kind` is the expected type. Embedded files are read one
 * level deep. Throws `unprocessable_document` if encrypted, damaged, empty, too large when unpacked
 * or of another type.
 */
export function readPackage(file: SourceFile, kind: OfficeKind): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, (source) => readPackageBytes(source, kind))
}

/** {@link readPackage} for an open source; a `kind` of `null` accepts any. */
export async function* readPackageBytes(source: ByteSource, kind: OfficeKind | null): AsyncGenerator<ParseEvent> {
  const budget = createUnpackBudget()
  let hasText = false
  const reading = {
    kind,
    budget,
    readEmbedded: (bytes: Buffer, imported: string | null) =>
      imported === null ? readEmbedded(bytes, budget) : readImported(bytes, imported, budget),
  }
  for await (const event of packageEvents(source, reading)) {
    hasText ||= 'block' in event
    yield event
  }
  if (!hasText) throw unreadable('The file has no text.')
}

/**
 * Reads an OpenDocument text, spreadsheet or presentation, as an archive or flat XML. Embedded
 * files of other formats are read one level deep. Throws `unprocessable_document` if encrypted,
 * damaged, empty or too large when unpacked.
 */
export function readOpenDocument(file: SourceFile): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, readOpenDocumentBytes)
}

/** The same from bytes. */
export async function* readOpenDocumentBytes(source: ByteSource): AsyncGenerator<ParseEvent> {
  const budget = createUnpackBudget()
  let hasText = false
  for await (const event of odfEvents(source, { budget, readEmbedded: (bytes) => readEmbedded(bytes, budget) })) {
    hasText ||= 'block' in event && event.block.text.trim() !== ''
    yield event
  }
  if (!hasText) throw unreadable('The file has no text.')
}

/**
 * Reads an embedded Word, PowerPoint or Office 2007+ file, without its own embedded files. Other
 * objects yield nothing. An unreadable file gives a warning.
 *
 * Unpacking counts against `budget`, by default a separate budget; throws `unprocessable_document`
 * if exhausted.
 */
async function* readEmbedded(bytes: Buffer, budget: UnpackBudget = createUnpackBudget()): AsyncGenerator<ParseEvent> {
  yield* withEmbeddedErrors(EMBEDDED_FILE, async function* () {
    const mark = bytes.toString('latin1', 0, 2)
    if (mark === ZIP_MAGIC) yield* embeddedPackage(bytes, budget)
    else if (mark === COMPOUND_FILE_MAGIC) yield* storageEvents(await openCompoundFile(bufferBytes(bytes)), { budget })
    else yield { warning: 'An embedded file has an unsupported type and was not read.' }
  })
}

/** The same for a storage of an open compound file, by index. */
async function* readEmbeddedStorage(container: CompoundFile, storage: number): AsyncGenerator<ParseEvent> {
  yield* withEmbeddedErrors(EMBEDDED_FILE, () => storageEvents(container, { storage, budget: createUnpackBudget() }))
}

const EMBEDDED_FILE = { what: 'An embedded file', hasOwnSections: true }

/** `what` names the file in warnings. Sections of a file with own sections are not the host's. */
async function* withEmbeddedErrors(
  { what, hasOwnSections }: { what: string; hasOwnSections: boolean },
  read: () => AsyncGenerator<ParseEvent>,
): AsyncGenerator<ParseEvent> {
  try {
    for await (const event of read()) {
      if ('warning' in event) yield event
      else if ('block' in event) yield hasOwnSections ? { block: toEmbeddedBlock(event.block) } : event
    }
  } catch (error) {
    if (isTooLargeUnpacked(error)) throw error
    yield { warning: `${what} was not read. ${error instanceof ApiError ? error.message : 'It is damaged.'}` }
  }
}

/**
 * Reads a part whose text belongs to the document: a page, a saved page (MHTML), a text or
 * another document. Other types give a warning that names the part.
 */
async function* readImported(bytes: Buffer, part: string, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  yield* withEmbeddedErrors({ what: `The imported text ${part}`, hasOwnSections: false }, async function* () {
    const type = await sniffBytes(bufferBytes(bytes), { filename: part, declaredType: null })
    if (type.format === 'docx') yield* embeddedPackage(bytes, budget)
    else if (type.format === 'rtf') yield* readRtfBytes(bytes)
    else if (type.format === 'doc') yield* storageEvents(await openCompoundFile(bufferBytes(bytes)), { budget })
    else if (type.encoding === null) throw unreadable('Its type is not supported here.')
    else yield* readImportedText(bytes, { ...type, encoding: type.encoding })
  })
}

/** Start of a saved page, which needs no sender as mails do. */
const MIME_FIELDS = /^\s*(?:MIME-Version|Content-Type|From|Subject|Date):/i

function* readImportedText(
  bytes: Buffer,
  { format, encoding }: { format: string; encoding: string },
): Generator<ParseEvent> {
  const text = decodeBytes(bytes, encoding)
  // Each part of a saved page has its own encoding.
  if (format === 'mail' || MIME_FIELDS.test(text)) yield* readText(createMailReader, bytes.toString('latin1'))
  else if (format === 'html') for (const block of readPage(text)) yield { block }
  else yield* readText(createPlainTextReader, text)
}

async function* storageEvents(
  container: CompoundFile,
  { storage, budget }: { storage?: number; budget: UnpackBudget },
): AsyncGenerator<ParseEvent> {
  const packaged = container.getStream(PACKAGE_STREAM, storage)
  if (packaged !== null && packaged.bytes > MAX_PACKAGE_BYTES) {
    yield { warning: 'An embedded file is larger than 64 MB and was not read.' }
  } else if (packaged !== null) {
    yield* embeddedPackage(await container.read(packaged, MAX_PACKAGE_BYTES), budget)
  } else if (container.getStream('WordDocument', storage) !== null) {
    for (const block of wordBlocks(await openWordFile(container, storage))) yield { block }
  } else if (container.getStream('PowerPoint Document', storage) !== null) {
    yield* presentationEvents(await openPresentation(container, storage), null)
  } else {
    const workbook = await openWorkbook(container, storage)
    if (workbook !== null) yield* workbookEvents(workbook, null)
  }
}

function embeddedPackage(bytes: Buffer, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  return packageEvents(bufferBytes(bytes), { kind: null, budget, readEmbedded: null })
}

/** Sections and pages of an embedded file are not those of the containing file. */
function toEmbeddedBlock({ text, kind }: Block): Block {
  return { text, kind: kind === 'heading' ? 'paragraph' : kind }
}

const EVENT_READERS: Readonly<Record<OdfKind, (sources: ObjectSources) => AsyncGenerator<ParseEvent>>> = {
  odt: odtEvents,
  ods: odsEvents,
  odp: odpEvents,
}

/** Options of {@link odfEvents}. */
type OdfOptions = {
  /** Budget for unpacked bytes. */
  budget: UnpackBudget
  /** Reader of embedded files of other formats; `null` skips them. */
  readEmbedded: ReadEmbedded | null
}

/**
 * Reads an OpenDocument text, spreadsheet or presentation, as a zip archive or flat XML. The body
 * decides the kind, because renamed files name another. Throws `unprocessable_document` for an
 * encrypted, damaged or oversized file. An empty file yields nothing.
 */
async function* odfEvents(source: ByteSource, { budget, readEmbedded }: OdfOptions): AsyncGenerator<ParseEvent> {
  try {
    const file = await openOdf(source, budget)
    const kind = await findBodyKind(file.read(CONTENT_PART))
    if (kind === null) throw unreadable('The file is damaged: it has no body.')
    if (kind === 'other') throw unreadable('The OpenDocument file is not a text, spreadsheet or presentation.')
    yield* titleEvents(await readOdfTitle(file), kind)
    yield* EVENT_READERS[kind]({ file, readEmbedded })
    for (const warning of file.warnings) yield { warning }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The file is damaged: it cannot be read.', error)
  }
}

/** A workbook starts with a sheet name, which is no title. */
function* titleEvents(title: string | null, kind: OdfKind): Generator<ParseEvent> {
  if (kind === 'ods') yield { title, over: 'headings' }
  else if (title !== null) yield { title, over: 'file-name' }
}

/** Longer texts are not titles. */
const MAX_TITLE_CHARACTERS = 1000

/** Returns the title in the properties of a file, verbatim; `null` when absent. */
async function readOdfTitle(file: OdfFile): Promise<string | null> {
  let title = ''
  let isInMeta = false
  let isInTitle = false
  await file.parseHead(META_PART, {
    open(name) {
      isInMeta ||= name === 'meta'
      isInTitle = isInMeta && name === 'title'
      return name === 'styles' || name === 'automatic-styles' || name === 'master-styles'
    },
    close(name) {
      isInTitle = false
      if (name === 'meta') isInMeta = false
    },
    text(text) {
      if (isInTitle && title.length < MAX_TITLE_CHARACTERS) title += text
    },
  })
  return title === '' ? null : title
}
