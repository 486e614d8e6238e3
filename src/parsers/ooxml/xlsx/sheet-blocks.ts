import { areGroupHeader, isPeriod } from '../../group-header.ts'
import type { Block } from '../../parse-event.ts'
import { looksLikeHeader, rowOf, tableOf } from '../office-block.ts'
import type { SheetCell, SheetRow } from './sheet-handler.ts'

/** As many empty rows part the groups of one table; more part tables. */
const MAX_EMPTY_ROWS = 1
/** More empty cells in a row are one: a sheet may use its first and its last column. */
const MAX_EMPTY_CELLS = 20
/** A longer text is no name, and is not repeated. */
const MAX_NAME_CHARACTERS = 80

/**
 * Makes the blocks of one sheet. A header is what `headerRows` (the sheet's tables) says, or a row of names or of
 * years at the beginning of a table, when rows of values follow or it is the sheet's first.
 */
export class SheetBlocks {
  readonly #headerRows: ReadonlySet<number>
  /** What may be the header: a row of names, or one below it, where the first is a line about the whole table or names groups of columns. */
  #held: SheetRow[] = []
  #isInTable = false
  #isFirstTable = true
  #firstColumn = Number.POSITIVE_INFINITY
  /** The names of the columns of the table. */
  #header = new Map<number, string>()
  #lastRow = 0
  #beginsTable = true

  constructor(headerRows: ReadonlySet<number>) {
    this.#headerRows = headerRows
  }

  /** Takes the next row that has content and gives what is certain by now. */
  add(row: SheetRow): Block[] {
    const emptyRows = row.row - this.#lastRow - 1
    this.#lastRow = row.row
    const before: Block[] = []
    if (emptyRows > 0) {
      before.push(...this.#release(null))
      this.#isInTable = false
    }
    if (emptyRows > MAX_EMPTY_ROWS) this.#beginsTable = true
    if (this.#headerRows.has(row.row)) {
      before.push(...this.#release(null), ...this.#blockOf(row, 'table-header'))
      this.#isInTable = true
      this.#isFirstTable = false
      return before
    }
    if (mayBeBelow(this.#held, row)) {
      this.#held.push(row)
      return before
    }
    before.push(...this.#release(row))
    return [...before, ...(this.#isInTable ? this.#blockOf(row, 'table-row') : this.#beginTable(row))]
  }

  /** What was held. */
  end(): Block[] {
    return this.#release(null)
  }

  /** Gives what is held. `next` is the row below it in its table. */
  #release(next: SheetRow | null): Block[] {
    if (this.#held.length === 0) return []
    const header = findHeader(this.#held, next, this.#isFirstTable)
    // Names of rows stand left of the header, which has none for them.
    const left = next?.cells[0]?.column
    const blocks = this.#held.flatMap((row) =>
      header.includes(row) ? this.#blockOf(row, 'table-header', left) : this.#blockOf(row, 'table-row'),
    )
    this.#held = []
    this.#isFirstTable = false
    return blocks
  }

  #blockOf({ cells }: SheetRow, kind: 'table-header' | 'table-row', left = Number.POSITIVE_INFINITY): Block[] {
    const isHeader = kind === 'table-header'
    const first = Math.min(cells[0]?.column ?? 1, left)
    if (isHeader) this.#firstColumn = first
    const texts = textsOf(cells, Math.min(this.#firstColumn, first), isHeader ? new Map() : this.#header)
    if (isHeader) this.#header = new Map(cells.map(({ column, text }) => [column, text]))
    const block = rowOf(texts, kind)
    if (block === null) return []
    const blocks = this.#beginsTable ? tableOf([block]) : [block]
    this.#beginsTable = false
    return blocks
  }

  #beginTable(row: SheetRow): Block[] {
    const [only] = row.cells
    if (row.cells.length === 1 && only?.isText === true) {
      const text = only.text.trim()
      return text === '' ? [] : [{ text: `${text}\n`, kind: 'paragraph' }]
    }
    // Below a single empty row a total may stand in a later column of the same table.
    if (this.#beginsTable) this.#firstColumn = Number.POSITIVE_INFINITY
    this.#header = new Map()
    this.#isInTable = true
    if (isNames(row) || isPeriods(row) || mayNameGroups(row)) {
      this.#held = [row]
      return []
    }
    this.#isFirstTable = false
    return this.#blockOf(row, 'table-row')
  }
}

/** True where a row may be the header under what is held, or its second row. */
function mayBeBelow([above, ...others]: readonly SheetRow[], row: SheetRow): boolean {
  if (above === undefined || others.length > 0) return false
  return (isNames(row) && row.cells.length > above.cells.length) || areGroups(above, row)
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

/** A header that is wider is one row. */
const MAX_GROUPED_COLUMNS = 500

/** True for a row of nothing but names. */
function isNames({ cells }: SheetRow): boolean {
  return cells.every(({ isText }) => isText) && looksLikeHeader(cells.map(({ text }) => text))
}

/** True for a row of years, months or days, at least two and no two the same, with or without names beside them. */
function isPeriods({ cells }: SheetRow): boolean {
  const values = cells.filter(({ isText }) => !isText).map(({ text }) => text)
  const names = cells.filter(({ isText }) => isText)
  if (values.length < 2 || !values.every(isPeriod) || new Set(values).size < values.length) return false
  return names.every(({ text }) => text.length <= MAX_NAME_CHARACTERS && /\p{L}/u.test(text))
}

/** True for a row that may name groups of columns: of words, years and days, more than one. */
function mayNameGroups({ cells }: SheetRow): boolean {
  return cells.length > 1 && cells.every(({ isText, text }) => isText || isPeriod(text))
}

/** True where the second row names the columns of the groups that the first one names. */
function areGroups(upper: SheetRow, lower: SheetRow): boolean {
  const from = Math.min(upper.cells[0]?.column ?? 1, lower.cells[0]?.column ?? 1)
  const to = Math.max(upper.cells.at(-1)?.column ?? 1, lower.cells.at(-1)?.column ?? 1)
  if (to - from > MAX_GROUPED_COLUMNS) return false
  const textsOf = ({ cells }: SheetRow) => {
    const texts = new Map(cells.map(({ column, text }) => [column, text]))
    return Array.from({ length: to - from + 1 }, (_, index) => texts.get(from + index) ?? '')
  }
  return areGroupHeader(textsOf(upper), textsOf(lower))
}

/**
 * The header among rows that were held as what may be one; none where none is. `next` is the row below them in their table, `null` where there is
 * none: one of values says that the names right above it are its header, two rows where the upper one names groups. The sheet's first table has one also
 * where all its values are words.
 */
function findHeader(held: readonly SheetRow[], next: SheetRow | null, isFirstTable: boolean): readonly SheetRow[] {
  const [first, second] = held
  if (first === undefined) return []
  if (second === undefined && isPeriods(first)) return namesFigures(first, next) ? held : []
  if (second === undefined && !isNames(first)) return []
  if (next?.cells.some(({ isText }) => !isText))
    return second === undefined || areGroups(first, second) ? held : [second]
  return isFirstTable && isNames(first) && (next !== null || second !== undefined) ? [first] : []
}

/** True where a row of periods names the columns of figures: none in the row below it is a period, and something says what they are of. */
function namesFigures(header: SheetRow, next: SheetRow | null): boolean {
  if (next === null) return false
  const columns = new Set(header.cells.filter(({ isText }) => !isText).map(({ column }) => column))
  const figures = next.cells.filter(({ column }) => columns.has(column))
  const [first] = next.cells
  const isLabelled = first?.isText === true && !columns.has(first.column)
  if (!isLabelled && !header.cells.some(({ isText }) => isText)) return false
  // The title of a group of rows has no figures.
  if (figures.length === 0) return true
  return (
    figures.every(({ isText }) => !isText) && figures.filter(({ text }) => isPeriod(text)).length * 2 < figures.length
  )
}
