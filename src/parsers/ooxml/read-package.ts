import { ApiError } from '../../errors.ts'
import type { ParseEvent, SourceFile } from '../parser.ts'
import { type ByteSource, bufferBytes, openFileBytes } from '../zip/byte-source.ts'
import { createUnpackBudget, type UnpackBudget } from '../zip/unpack-budget.ts'
import { unreadable } from '../zip/unreadable.ts'
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

/** One level deep: what is embedded in an embedded file is left out. */
async function* readInside(bytes: Buffer, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  if (bytes.readUInt16BE(0) !== 0x504b) return
  try {
    yield* readAny(bufferBytes(bytes), { kind: null, budget, readEmbedded: null })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    yield { warning: `An embedded file was not read. ${error.message}` }
  }
}
