import { ApiError } from '../../../errors.ts'
import { isTooLargeUnpacked, type ParseEvent, unreadable } from '../../parse-event.ts'
import type { DateSystem } from '../number-format/format-date.ts'
import { type ReadEmbedded, receiptOf } from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { type Attributes, getAttribute, getPrefixed, isOn } from '../package/read-xml.ts'
import { readCellFormats, readCellStrings } from './cell-formats.ts'
import { readSheet } from './read-sheet.ts'
import { readPersons } from './sheet-comments.ts'

/**
 * Reads a workbook sheet by sheet, in the order of the tabs, hidden ones too; each sheet is a page. A damaged sheet fails
 * alone; throws `unprocessable_document` when no sheet can be read or the text would be without end.
 */
export async function* xlsxEvents(pkg: OfficePackage, readEmbedded: ReadEmbedded | null): AsyncGenerator<ParseEvent> {
  if (/\.bin$/i.test(pkg.mainPart))
    throw unreadable('The file is a binary Excel workbook (XLSB), which is not supported.')
  const relationships = await pkg.listRelationships(pkg.mainPart)
  const partOf = (type: string) => relationships.find((one) => one.type === type)?.part ?? null
  const { sheets, dateSystem } = await readWorkbook(pkg, relationships)
  yield { pageCount: sheets.length }
  const sources = {
    pkg,
    strings: await readCellStrings(pkg, partOf('sharedStrings')),
    formats: await readCellFormats(pkg, partOf('styles'), dateSystem),
    persons: await readPersons(pkg, relationships),
    readEmbedded,
  }
  let failure: ApiError | null = null
  let good = 0
  for (const [index, sheet] of sheets.entries()) {
    if (pkg.has(sheet.part) && !pkg.takeOnce(sheet.part)) {
      yield { page: receiptOf(index + 1, 0, 'It is the same part of the file as a sheet before it.') }
      continue
    }
    try {
      yield* readSheet(sources, sheet, index + 1)
      good += 1
    } catch (error) {
      if (isTooLargeUnpacked(error)) throw error
      failure = error instanceof ApiError ? error : unreadable(`The sheet ${sheet.name} is damaged.`, error)
      yield { page: { ...receiptOf(index + 1, 0, failure.message), method: 'failed' } }
    }
  }
  if (failure !== null && good === 0) throw failure
}

/** A sheet of a workbook: of cells, or of one chart. */
export type Sheet = {
  name: string
  /** Empty where the file does not say. */
  part: string
  /** What the receipt says of it: `hidden sheet`; `null` for visible ones. */
  message: string | null
}

/** A workbook: its sheets in order, and how it counts days. */
type Workbook = { sheets: Sheet[]; dateSystem: DateSystem }

const MAX_SHEETS = 10_000

/** Reads the main part of a workbook. */
async function readWorkbook(pkg: OfficePackage, relationships: readonly Relationship[]): Promise<Workbook> {
  const parts = new Map(relationships.map(({ id, part }) => [id, part]))
  const workbook: Workbook = { sheets: [], dateSystem: '1900' }

  function addSheet(attributes: Attributes): void {
    if (workbook.sheets.length >= MAX_SHEETS) return
    const state = getAttribute(attributes, 'state')
    workbook.sheets.push({
      name: getAttribute(attributes, 'name') ?? '',
      part: parts.get(getPrefixed(attributes, 'id') ?? '') ?? '',
      message: state === 'hidden' || state === 'veryHidden' ? 'hidden sheet' : null,
    })
  }

  await pkg.feed(pkg.mainPart, {
    open(name, attributes) {
      if (name === 'sheet') addSheet(attributes)
      const counts1904 = name === 'workbookPr' && getAttribute(attributes, 'date1904') !== null
      if (counts1904 && isOn(attributes, 'date1904')) workbook.dateSystem = '1904'
      return false
    },
    close() {},
    text() {},
  })
  return workbook
}
