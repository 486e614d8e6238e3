import { ApiError } from '../../errors.ts'
import type { ByteSource } from '../byte-source.ts'
import type { ParseEvent } from '../parse-event.ts'
import { unreadable } from '../unreadable.ts'
import type { UnpackBudget } from '../zip/unpack-budget.ts'
import { docxEvents } from './docx/docx-events.ts'
import type { ReadEmbedded } from './office-event.ts'
import { type OfficeKind, type OfficePackage, openPackage } from './package/office-package.ts'
import { readTitle } from './package/read-title.ts'
import { pptxEvents } from './pptx/pptx-events.ts'
import { xlsxEvents } from './xlsx/xlsx-events.ts'

const READERS: Readonly<
  Record<OfficeKind, (pkg: OfficePackage, readEmbedded: ReadEmbedded | null) => AsyncGenerator<ParseEvent>>
> = { docx: docxEvents, pptx: pptxEvents, xlsx: xlsxEvents }

const NAMES: Readonly<Record<OfficeKind, string>> = { docx: 'Word', pptx: 'PowerPoint', xlsx: 'Excel' }

/** How a package is read. */
export type PackageReading = {
  /** What it should be; `null` takes any. */
  kind: OfficeKind | null
  /** What it unpacks counts against this. */
  budget: UnpackBudget
  /** Reads the files in it; `null` leaves them out. */
  readEmbedded: ReadEmbedded | null
}

/**
 * Reads an Office file of the year 2007 or later. Throws `unprocessable_document` for one that is encrypted, damaged, too large when unpacked
 * or of another kind than it should be; an empty one gives nothing.
 */
export async function* packageEvents(
  source: ByteSource,
  { kind, budget, readEmbedded }: PackageReading,
): AsyncGenerator<ParseEvent> {
  try {
    const pkg = await openPackage(source, budget)
    const found = pkg.kind
    if (found === null) throw unreadable('The file is a zip archive, but no Word, PowerPoint or Excel file.')
    if (kind !== null && found !== kind) throw unreadable(`The file is a ${NAMES[found]} file.`)
    // An embedded file does not name the one around it.
    if (readEmbedded !== null) yield* titleEvents(await readTitle(pkg), found)
    yield* READERS[found](pkg, readEmbedded)
    for (const warning of pkg.warnings) yield { warning }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The file is damaged: it cannot be read.', error)
  }
}

/** A workbook begins with the name of a sheet, which is no title of it. */
function* titleEvents(title: string | null, kind: OfficeKind): Generator<ParseEvent> {
  if (kind === 'xlsx') yield { title, over: 'headings' }
  else if (title !== null) yield { title, over: 'file-name' }
}
