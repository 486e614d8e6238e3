import type { Block } from '../../parse-event.ts'
import { looksLikeHeader, rowOf } from '../office-block.ts'
import type { SheetCell, SheetRow } from './sheet-handler.ts'

/** Turns the rows of a sheet into blocks, finding the headers of the tables in it. */
export type SheetBlocks = {
  /** Takes the next row that has content and gives what is certain by now. */
  add(row: SheetRow): Block[]
  /** What was held. */
  end(): Block[]
}

/** More empty cells in a row are one: a sheet may use its first and its last column. */
const MAX_EMPTY_CELLS = 20
/** A header that is longer is not repeated. */
const MAX_NAME_CHARACTERS = 80

/**
 * Makes the blocks of one sheet. A header is what `headerRows` (the sheet's tables) says, or a row of names at the
 * beginning of a table, when rows of values follow or it is the sheet's first.
 */
export function createSheetBlocks(headerRows: ReadonlySet<number>): SheetBlocks {
  let held: SheetRow | null = null
  let isInTable = false
  let isFirstTable = true
  let firstColumn = Number.POSITIVE_INFINITY
  /** The names of the columns of the table. */
  let header = new Map<number, string>()
  let lastRow = 0

  function release(isHeader: boolean): Block[] {
    if (held === null) return []
    const block = blockOf(held, isHeader ? 'table-header' : 'table-row')
    held = null
    isFirstTable = false
    return block
  }

  function blockOf({ cells }: SheetRow, kind: 'table-header' | 'table-row'): Block[] {
    const first = cells[0]?.column ?? 1
    if (kind === 'table-header') firstColumn = first
    const texts = textsOf(cells, Math.min(firstColumn, first), kind === 'table-header' ? new Map() : header)
    if (kind === 'table-header') header = new Map(cells.map(({ column, text }) => [column, text]))
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
    header = new Map()
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

/** The texts of a row from a column on. Behind a wide gap they begin with the name of their column. */
function textsOf(cells: readonly SheetCell[], from: number, header: ReadonlyMap<number, string>): string[] {
  const texts: string[] = []
  let column = from
  let isMoved = false
  for (const cell of cells) {
    const gap = cell.column - column
    const isWide = gap > MAX_EMPTY_CELLS
    for (let empty = 0; empty < (isWide ? 1 : gap); empty += 1) texts.push('')
    isMoved ||= isWide
    const name = isMoved ? (header.get(cell.column) ?? '') : ''
    texts.push(name === '' || name.length > MAX_NAME_CHARACTERS ? cell.text : `${name}: ${cell.text}`)
    column = cell.column + 1
  }
  return texts
}
