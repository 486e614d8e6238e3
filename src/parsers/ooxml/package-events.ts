import { ApiError } from '../../errors.ts'
import type { ByteSource } from '../byte-source.ts'
import { type ParseEvent, unreadable } from '../parse-event.ts'
import { docxEvents } from './docx/docx-events.ts'
import type { ReadEmbedded } from './office-block.ts'
import { type OfficeKind, type OfficePackage, openPackage } from './package/office-package.ts'
import type { UnpackBudget } from './package/unpack-budget.ts'
import { pptxEvents } from './pptx/pptx-events.ts'
import { xlsxEvents } from './xlsx/xlsx-events.ts'

const READERS: Readonly<
  Record<OfficeKind, (pkg: OfficePackage, readEmbedded: ReadEmbedded | null) => AsyncGenerator<ParseEvent>>
> = { docx: docxEvents, pptx: pptxEvents, xlsx: xlsxEvents }

const NAMES: Readonly<Record<OfficeKind, string>> = { docx: 'Word', pptx: 'PowerPoint', xlsx: 'Excel' }

/** How a package is read. */
type PackageReading = {
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

/** More characters are no title. */
const MAX_CHARACTERS = 1000

/** What the properties of a file say it is called, as it is written there; `null` when nothing. */
async function readTitle(pkg: OfficePackage): Promise<string | null> {
  const properties = (await pkg.listRelationships('')).find(({ type }) => type === 'core-properties')
  if (!properties?.part) return null
  let title = ''
  let isInTitle = false
  await pkg.tryFeed(properties.part, {
    open(name) {
      isInTitle = name === 'title'
      return false
    },
    close() {
      isInTitle = false
    },
    text(text) {
      if (isInTitle && title.length < MAX_CHARACTERS) title += text
    },
  })
  return title === '' ? null : title
}
