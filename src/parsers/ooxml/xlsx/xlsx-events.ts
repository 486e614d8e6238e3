import { ApiError } from '../../../errors.ts'
import type { ParseEvent } from '../../parse-event.ts'
import { isTooLargeUnpacked, unreadable } from '../../unreadable.ts'
import type { ReadEmbedded } from '../office-event.ts'
import type { OfficePackage } from '../package/office-package.ts'
import { receiptOf } from '../page-receipts.ts'
import { readCellFormats } from './cell-formats.ts'
import { readCellStrings } from './cell-strings.ts'
import { readSheet } from './read-sheet.ts'
import { readPersons } from './sheet-comments.ts'
import { readWorkbook } from './workbook.ts'

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
