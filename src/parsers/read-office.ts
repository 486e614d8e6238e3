import { ApiError } from '../errors.ts'
import { type ByteSource, bufferBytes, readOpenFile } from './byte-source.ts'
import { type CompoundFile, openCompoundFile, readTitle } from './legacy-office/compound-file.ts'
import { openPresentation } from './legacy-office/presentation.ts'
import { presentationEvents } from './legacy-office/presentation-events.ts'
import { wordBlocks } from './legacy-office/story-blocks.ts'
import { openWordFile, readBareWordFile, type WordFile } from './legacy-office/word-file.ts'
import type { OfficeKind } from './ooxml/package/office-package.ts'
import { createUnpackBudget, type UnpackBudget } from './ooxml/package/unpack-budget.ts'
import { packageEvents } from './ooxml/package-events.ts'
import { type Block, isTooLargeUnpacked, type ParseEvent, type SourceFile, unreadable } from './parse-event.ts'

const MAX_BARE_BYTES = 100 * 1024 * 1024
/** Embedded files lie in storages inside this one. MS-DOC 2.1.4. */
const OBJECT_POOL = 'ObjectPool'
const MAX_PACKAGE_BYTES = 64 * 1024 * 1024
/** The stream that holds a file of 2007 or later inside an older one. */
const PACKAGE = 'Package'
/** First bytes of a zip archive, and of a compound file. */
const ZIP = 'PK'
const COMPOUND_FILE = '\xd0\xcf'

/**
 * Reads a Word file from before 2007 (Word 97 to 2003, 95, 6, 2): paragraphs, headings by their styles, list items with their numbers,
 * table rows, then footnotes, endnotes, comments, text boxes, headers and footers, and the text of embedded files one level
 * deep. Text that was deleted under tracking is left out. Where its pages end stands in no such file. Throws
 * `unprocessable_document` when it is encrypted, damaged or has no text.
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
  // Word 2 wrote its stream straight to the disk.
  if (head.equals(Buffer.from([0xdb, 0xa5]))) {
    yield* eventsOf(readBareWordFile(await source.read(0, MAX_BARE_BYTES)))
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
 * Reads a PowerPoint file of 97 to 2003: slides in their order as pages, titles as headings, texts, tables, notes, comments, the text of
 * embedded files one level deep. Masters are not repeated, nor is a footer that stands on every slide. Throws
 * `unprocessable_document` when the file is encrypted, damaged, from before 97 or without text.
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
    yield* presentationEvents(presentation, readEmbedded)
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The PowerPoint file is damaged: it cannot be read.', error)
  }
}

/**
 * Reads an Office file of the year 2007 or later from the disk, `kind` being what it should be, with the files in it one level deep. Throws
 * `unprocessable_document` for one that is encrypted, damaged, empty, too large when unpacked or of another kind.
 */
export function readPackage(file: SourceFile, kind: OfficeKind): AsyncGenerator<ParseEvent> {
  return readOpenFile(file.path, (source) => readPackageBytes(source, kind))
}

/** {@link readPackage} for bytes that are open already; `kind` `null` takes any. */
export async function* readPackageBytes(source: ByteSource, kind: OfficeKind | null): AsyncGenerator<ParseEvent> {
  const budget = createUnpackBudget()
  let hasText = false
  const reading = { kind, budget, readEmbedded: (bytes: Buffer) => readEmbedded(bytes, budget) }
  for await (const event of packageEvents(source, reading)) {
    hasText ||= 'block' in event
    yield event
  }
  if (!hasText) throw unreadable('The file has no text.')
}

/**
 * The text of a file that stands inside another: Word, PowerPoint, or an Office file of 2007 and later; what is embedded in it is left out.
 * Nothing for other objects. One that cannot be read gives a warning, as it costs only itself. What it unpacks counts against `budget`, by
 * default one of its own; throws `unprocessable_document` when that is used up.
 */
async function* readEmbedded(bytes: Buffer, budget: UnpackBudget = createUnpackBudget()): AsyncGenerator<ParseEvent> {
  yield* guarded(async function* () {
    const mark = bytes.toString('latin1', 0, 2)
    if (mark === ZIP) yield* embeddedPackage(bytes, budget)
    else if (mark === COMPOUND_FILE) yield* storageEvents(await openCompoundFile(bufferBytes(bytes)), { budget })
    else yield { warning: 'An embedded file is of a kind that is not read inside others.' }
  })
}

/** The same for a storage of an open compound file, by its index. */
async function* readEmbeddedStorage(container: CompoundFile, storage: number): AsyncGenerator<ParseEvent> {
  yield* guarded(() => storageEvents(container, { storage, budget: createUnpackBudget() }))
}

async function* guarded(read: () => AsyncGenerator<ParseEvent>): AsyncGenerator<ParseEvent> {
  try {
    for await (const event of read()) {
      if ('block' in event) yield { block: asPart(event.block) }
      else if ('warning' in event) yield event
    }
  } catch (error) {
    if (isTooLargeUnpacked(error)) throw error
    yield { warning: `An embedded file was not read. ${error instanceof ApiError ? error.message : 'It is damaged.'}` }
  }
}

async function* storageEvents(
  container: CompoundFile,
  { storage, budget }: { storage?: number; budget: UnpackBudget },
): AsyncGenerator<ParseEvent> {
  const packaged = container.getStream(PACKAGE, storage)
  if (packaged !== null && packaged.bytes > MAX_PACKAGE_BYTES) {
    yield { warning: 'An embedded file is larger than 64 MB and was not read.' }
  } else if (packaged !== null) {
    yield* embeddedPackage(await container.read(packaged, MAX_PACKAGE_BYTES), budget)
  } else if (container.getStream('WordDocument', storage) !== null) {
    for (const block of wordBlocks(await openWordFile(container, storage))) yield { block }
  } else if (container.getStream('PowerPoint Document', storage) !== null) {
    yield* presentationEvents(await openPresentation(container, storage), null)
  }
}

function embeddedPackage(bytes: Buffer, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  return packageEvents(bufferBytes(bytes), { kind: null, budget, readEmbedded: null })
}

/** Sections and pages of an embedded file are not those of the file around it. */
function asPart({ text, kind }: Block): Block {
  return { text, kind: kind === 'heading' ? 'paragraph' : kind }
}
