import type { Block } from '../../parse-event.ts'
import { looksLikeHeader, rowOf } from '../office-block.ts'
import type { SheetRow } from './sheet-handler.ts'

/** Turns the rows of a sheet into blocks, finding the headers of the tables in it. */
export type SheetBlocks = {
  /** Takes the next row that has content and gives what is certain by now. */
  add(row: SheetRow): Block[]
  /** What was held. */
  end(): Block[]
}

/** More empty cells in a row are one: a sheet may use its first and its last column. */
const MAX_EMPTY_CELLS = 20

/**
 * Makes the blocks of one sheet. A header is what `headerRows` (the sheet's tables) says, or a row of names at the
 * beginning of a table, when rows of values follow or it is the sheet's first.
 */
export function createSheetBlocks(headerRows: ReadonlySet<number>): SheetBlocks {
  let held: SheetRow | null = null
  let isInTable = false
  let isFirstTable = true
  let firstColumn = Number.POSITIVE_INFINITY
  let lastRow = 0

  function release(isHeader: boolean): Block[] {
    if (held === null) return []
    const block = blockOf(held, isHeader ? 'table-header' : 'table-row')
    held = null
    isFirstTable = false
    return block
  }

  function blockOf({ cells }: SheetRow, kind: 'table-header' | 'table-row'): Block[] {
    if (kind === 'table-header') firstColumn = cells[0]?.column ?? firstColumn
    const texts: string[] = []
    let column = Math.min(firstColumn, cells[0]?.column ?? 1)
    for (const cell of cells) {
      const gap = cell.column - column
      for (let empty = 0; empty < (gap > MAX_EMPTY_CELLS ? 1 : gap); empty += 1) texts.push('')
      texts.push(cell.text)
      column = cell.column + 1
    }
    const block = rowOf(texts, kind)
    return block === null ? [] : [block]
  }

  function beginTable(row: SheetRow): Block[] {
    const [only] = row.cells
    if (row.cells.length === 1 && only?.isText === true) {
      const text = only.text.trim()
      return text === '' ? [] : [{ text: `${text}\n`, kind: 'paragraph' }]
    }
    firstColumn = Number.POSITIVE_INFINITY
    isInTable = true
    if (row.cells.every(({ isText }) => isText) && looksLikeHeader(row.cells.map(({ text }) => text))) {
      held = row
      return []
    }
    isFirstTable = false
    return blockOf(row, 'table-row')
  }

  return {
    add(row) {
      const isApart = row.row - lastRow > 1
      lastRow = row.row
      const before: Block[] = []
      if (isApart) {
        before.push(...release(false))
        isInTable = false
      }
      if (headerRows.has(row.row)) {
        before.push(...release(false), ...blockOf(row, 'table-header'))
        isInTable = true
        isFirstTable = false
        return before
      }
      if (held !== null) before.push(...release(isFirstTable || row.cells.some(({ isText }) => !isText)))
      return [...before, ...(isInTable ? blockOf(row, 'table-row') : beginTable(row))]
    },
    end: () => release(false),
  }
}
