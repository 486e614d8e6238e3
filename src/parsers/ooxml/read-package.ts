import { ApiError } from '../../errors.ts'
import { openWordFile, wordBlocks } from '../doc/word-blocks.ts'
import { openCompoundFile } from '../ole/compound-file.ts'
import type { ParseEvent, SourceFile } from '../parser.ts'
import { openPresentationFile, presentationEvents } from '../ppt/presentation-events.ts'
import { type ByteSource, bufferBytes, openFileBytes } from '../zip/byte-source.ts'
import { createUnpackBudget, type UnpackBudget } from '../zip/unpack-budget.ts'
import { isTooLargeUnpacked, unreadable } from '../zip/unreadable.ts'
import { docxEvents } from './docx/docx-events.ts'
import type { ReadEmbedded } from './office-event.ts'
import { type OfficeKind, type OfficePackage, openPackage } from './package/office-package.ts'
import { pptxEvents } from './pptx/pptx-events.ts'
import { xlsxEvents } from './xlsx/xlsx-events.ts'

const READERS: Readonly<
  Record<OfficeKind, (pkg: OfficePackage, readEmbedded: ReadEmbedded | null) => AsyncGenerator<ParseEvent>>
> = { docx: docxEvents, pptx: pptxEvents, xlsx: xlsxEvents }

const NAMES: Readonly<Record<OfficeKind, string>> = { docx: 'Word', pptx: 'PowerPoint', xlsx: 'Excel' }

/**
 * Reads an Office file of the year 2007 or later from the disk, `kind` being what it should be. Throws
 * `unprocessable_document` for one that is encrypted, damaged, empty, too large when unpacked or of another kind.
 */
export async function* readPackage(file: SourceFile, kind: OfficeKind): AsyncGenerator<ParseEvent> {
  const source = await openFileBytes(file.path)
  try {
    yield* readBytes(source, kind)
  } finally {
    await source.close()
  }
}

/** {@link readPackage} for bytes that are open already; `kind` `null` takes any. */
export async function* readBytes(source: ByteSource, kind: OfficeKind | null): AsyncGenerator<ParseEvent> {
  const budget = createUnpackBudget()
  yield* readAny(source, { kind, budget, readEmbedded: (bytes) => readInside(bytes, budget) })
}

type Reading = { kind: OfficeKind | null; budget: UnpackBudget; readEmbedded: ReadEmbedded | null }

async function* readAny(source: ByteSource, { kind, budget, readEmbedded }: Reading): AsyncGenerator<ParseEvent> {
  let hasText = false
  try {
    const pkg = await openPackage(source, budget)
    const found = pkg.kind
    if (found === null) throw unreadable('The file is a zip archive, but no Word, PowerPoint or Excel file.')
    if (kind !== null && found !== kind) throw unreadable(`The file is a ${NAMES[found]} file.`)
    for await (const event of READERS[found](pkg, readEmbedded)) {
      hasText ||= 'block' in event
      yield event
    }
    for (const warning of pkg.warnings) yield { warning }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The file is damaged: it cannot be read.', error)
  }
  if (!hasText && readEmbedded !== null) throw unreadable('The file has no text.')
}

/** One level deep: what is embedded in an embedded file is left out. Damage in it costs only itself. */
async function* readInside(bytes: Buffer, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  try {
    if (bytes.toString('latin1', 0, 2) === 'PK') yield* readEmbeddedPackage(bytes, budget)
    else if (bytes[0] === COMPOUND_FILE) yield* readCompound(bufferBytes(bytes), budget)
    else yield { warning: 'An embedded file is of a kind that is not read inside others.' }
  } catch (error) {
    if (isTooLargeUnpacked(error)) throw error
    yield { warning: `An embedded file was not read. ${error instanceof ApiError ? error.message : 'It is damaged.'}` }
  }
}

/** First byte of a compound file (MS-CFB 2.2). */
const COMPOUND_FILE = 0xd0
const MAX_STREAM_BYTES = 64 * 1024 * 1024

/**
 * Reads an Office file that stands inside another, where files in it are left out. What it unpacks counts against `budget`, by
 * default one of its own. Throws as {@link readPackage} does, but not for want of text.
 */
export function readEmbeddedPackage(
  bytes: Buffer,
  budget: UnpackBudget = createUnpackBudget(),
): AsyncGenerator<ParseEvent> {
  return readAny(bufferBytes(bytes), { kind: null, budget, readEmbedded: null })
}

/** An embedded object of the older kind: a wrapped package, or a Word or PowerPoint file; others have no text for us. */
async function* readCompound(source: ByteSource, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  const container = await openCompoundFile(source)
  const wrapped = container.getStream('Package')
  if (wrapped !== null) yield* readEmbeddedPackage(await container.read(wrapped, MAX_STREAM_BYTES), budget)
  else if (container.getStream('WordDocument') !== null) {
    for (const block of wordBlocks(await openWordFile(container))) yield { block }
  } else if (container.getStream('PowerPoint Document') !== null) {
    yield* presentationEvents(await openPresentationFile(container), null)
  }
}
