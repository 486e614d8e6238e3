import { splitBlocks, toParagraph } from '../ooxml/office-block.ts'
import { createMergedCellFiller } from '../ooxml/xlsx/merged-cells.ts'
import { SheetBlocks } from '../ooxml/xlsx/sheet-blocks.ts'
import { pagesOfSheets, toMarginBlocks } from '../ooxml/xlsx/sheet-page.ts'
import type { ParseEvent } from '../parse-event.ts'
import { listRows, listUnorderedRows } from './sheet-cells.ts'
import { type Drawing, type SheetScan, scanSheet } from './sheet-scan.ts'
import type { Workbook, XlsSheet } from './workbook.ts'

/** Reads the file in a storage by its name. */
type ReadStorage = (name: string) => AsyncIterable<ParseEvent>

/**
 * Reads a workbook sheet by sheet in tab order, including hidden sheets. Each sheet is a page.
 * `readStorage` is `null` inside an embedded file. Throws `unprocessable_document` when no sheet is
 * readable or the text is excessive.
 */
export async function* workbookEvents(workbook: Workbook, readStorage: ReadStorage | null): AsyncGenerator<ParseEvent> {
  const read = new Set<number>()
  yield { pageCount: workbook.sheets.length }
  yield* pagesOfSheets(workbook.sheets, {
    isRepeated({ at }) {
      const isRepeated = read.has(at)
      read.add(at)
      return isRepeated
    },
    read: (sheet) => sheetEvents(workbook, sheet, readStorage),
  })
  if (workbook.isTruncated)
    yield { cut: 'The Excel file is damaged: its end is missing, so the file is probably truncated.' }
}

/** Yields the rows, the drawn objects in file order, then comments and printed headers. */
async function* sheetEvents(
  workbook: Workbook,
  sheet: XlsSheet,
  readStorage: ReadStorage | null,
): AsyncGenerator<ParseEvent> {
  const scan = scanSheet(workbook, sheet)
  yield* rowEvents(workbook, sheet, scan)
  for (const drawing of scan.drawings) yield* drawingEvents(drawing, readStorage)
  for (const block of [...scan.comments, ...toMarginBlocks(scan.margins)]) yield { block }
}

function* rowEvents(workbook: Workbook, sheet: XlsSheet, scan: SheetScan): Generator<ParseEvent> {
  const filler = createMergedCellFiller(scan.merged)
  const blocks = new SheetBlocks(scan.headerRows)
  const rows = scan.isOrdered ? listRows(workbook, sheet) : listUnorderedRows(workbook, sheet)
  for (const row of rows) for (const block of blocks.add(filler.fill(row))) yield { block }
  for (const block of blocks.end()) yield { block }
}

async function* drawingEvents(drawing: Drawing, readStorage: ReadStorage | null): AsyncGenerator<ParseEvent> {
  if ('storage' in drawing) {
    if (readStorage !== null) yield* readStorage(drawing.storage)
    return
  }
  const blocks = 'chart' in drawing ? drawing.chart.blocks() : [toParagraph(drawing.text)]
  for (const block of splitBlocks(blocks)) yield { block }
}
