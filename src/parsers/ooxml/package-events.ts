import { ApiError } from '../../errors.ts'
import type { ByteSource } from '../byte-source.ts'
import { type ParseEvent, unreadable } from '../parse-event.ts'
import { docxEvents } from './docx/docx-events.ts'
import type { ReadEmbedded } from './office-block.ts'
import { type OfficeKind, type OfficePackage, openPackage } from './package/office-package.ts'
import type { UnpackBudget } from './package/unpack-budget.ts'
import { pptxEvents } from './pptx/pptx-events.ts'
import { xlsxEvents } from './xlsx/xlsx-events.ts'

const EVENT_READERS: Readonly<
  Record<OfficeKind, (pkg: OfficePackage, readEmbedded: ReadEmbedded | null) => AsyncGenerator<ParseEvent>>
> = { docx: docxEvents, pptx: pptxEvents, xlsx: xlsxEvents }

const PROGRAM_NAMES: Readonly<Record<OfficeKind, string>> = { docx: 'Word', pptx: 'PowerPoint', xlsx: 'Excel' }

/** Options of {@link packageEvents}. */
type PackageOptions = {
  /** Expected kind; `null` accepts any. */
  kind: OfficeKind | null
  /** Budget for unpacked bytes. */
  budget: UnpackBudget
  /** Reader of embedded files; `null` skips embedded files. */
  readEmbedded: ReadEmbedded | null
}

/**
 * Reads an Office file of 2007 or later. Throws `unprocessable_document` for an encrypted, damaged
 * or oversized file and for an unexpected kind. An empty file yields nothing.
 */
export async function* packageEvents(
  source: ByteSource,
  { kind, budget, readEmbedded }: PackageOptions,
): AsyncGenerator<ParseEvent> {
  try {
    const pkg = await openPackage(source, budget)
    const found = pkg.kind
    if (found === null) throw unreadable('The file is a ZIP archive, not a Word, PowerPoint or Excel file.')
    if (kind !== null && found !== kind)
      throw unreadable(`The file is not a ${PROGRAM_NAMES[kind]} file but a ${PROGRAM_NAMES[found]} file.`)
    // The title of an embedded file is not the title of its host.
    if (readEmbedded !== null) yield* titleEvents(await readTitle(pkg), found)
    yield* EVENT_READERS[found](pkg, readEmbedded)
    for (const warning of pkg.warnings) yield { warning }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The file is damaged: it cannot be read.', error)
  }
}

/** A workbook starts with a sheet name, which is no title. */
function* titleEvents(title: string | null, kind: OfficeKind): Generator<ParseEvent> {
  if (kind === 'xlsx') yield { title, over: 'headings' }
  else if (title !== null) yield { title, over: 'file-name' }
}

/** Longer texts are not titles. */
const MAX_TITLE_CHARACTERS = 1000

/** Returns the title in the file's properties, verbatim; `null` when absent. */
async function readTitle(pkg: OfficePackage): Promise<string | null> {
  const properties = (await pkg.listRelationships('')).find(({ type }) => type === 'core-properties')
  if (!properties?.part) return null
  let title = ''
  let isInTitle = false
  await pkg.parseOptional(properties.part, {
    open(name) {
      isInTitle = name === 'title'
      return false
    },
    close() {
      isInTitle = false
    },
    text(text) {
      if (isInTitle && title.length < MAX_TITLE_CHARACTERS) title += text
    },
  })
  return title === '' ? null : title
}
