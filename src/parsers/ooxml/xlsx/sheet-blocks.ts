import { areGroupHeader, isPeriod } from '../../group-header.ts'
import type { Block } from '../../parse-event.ts'
import { looksLikeHeader, toTable, toTableRow } from '../office-block.ts'
import type { SheetCell, SheetRow } from './sheet-handler.ts'

/** A single empty row separates groups of a table; more empty rows separate tables. */
const MAX_EMPTY_ROWS = 1
/** Longer runs of empty cells collapse to one: a sheet may use its first and its last column. */
const MAX_EMPTY_CELLS = 20
/** Longer texts are not names and are not repeated. */
const MAX_NAME_CHARACTERS = 80

/**
 * Converts the rows of a sheet into blocks and detects table headers. A header is a row in
 * `headerRows` (from the sheet's tables), or a row of names or years at the start of a table. Such
 * a row counts as a header if values follow or it is the sheet's first.
 */
export class SheetBlocks {
  readonly #headerRows: ReadonlySet<number>
  /**
   * Candidate header rows: a row of names, or two rows if the first is a caption or names column
   * groups.
   */
  #held: SheetRow[] = []
  #isInTable = false
  #isFirstTable = true
  #firstColumn = Number.POSITIVE_INFINITY
  /** Column names of the current table. */
  #header = new Map<number, string>()
  #lastRow = 0
  #beginsTable = true

  constructor(headerRows: ReadonlySet<number>) {
    this.#headerRows = headerRows
  }

  /** Adds a non-empty row and returns the blocks determined so far. */
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
      before.push(...this.#release(null), ...this.#toBlock(row, 'table-header'))
      this.#isInTable = true
      this.#isFirstTable = false
      return before
    }
    if (mayExtendHeader(this.#held, row)) {
      this.#held.push(row)
      return before
    }
    before.push(...this.#release(row))
    return [...before, ...(this.#isInTable ? this.#toBlock(row, 'table-row') : this.#beginTable(row))]
  }

  /** Returns the held rows. */
  end(): Block[] {
    return this.#release(null)
  }

  /** Releases the held rows. `next` is the following row of the table. */
  #release(next: SheetRow | null): Block[] {
    if (this.#held.length === 0) return []
    const header = pickHeader(this.#held, next, this.#isFirstTable)
    // Row labels start left of the header, as their column has no name.
    const left = next?.cells[0]?.column
    const blocks = this.#held.flatMap((row) =>
      header.includes(row) ? this.#toBlock(row, 'table-header', left) : this.#toBlock(row, 'table-row'),
    )
    this.#held = []
    this.#isFirstTable = false
    return blocks
  }

  #toBlock({ cells }: SheetRow, kind: 'table-header' | 'table-row', left = Number.POSITIVE_INFINITY): Block[] {
    const isHeader = kind === 'table-header'
    const first = Math.min(cells[0]?.column ?? 1, left)
    if (isHeader) this.#firstColumn = first
    const texts = toRowTexts(cells, Math.min(this.#firstColumn, first), isHeader ? new Map() : this.#header)
    if (isHeader) this.#header = new Map(cells.map(({ column, text }) => [column, text]))
    const block = toTableRow(texts, kind)
    if (block === null) return []
    const blocks = this.#beginsTable ? toTable([block]) : [block]
    this.#beginsTable = false
    return blocks
  }

  #beginTable(row: SheetRow): Block[] {
    const [only] = row.cells
    if (row.cells.length === 1 && only?.isText === true) {
      const text = only.text.trim()
      return text === '' ? [] : [{ text: `${text}\n`, kind: 'paragraph' }]
    }
    // After a single empty row, a total may start in a later column of the same table.
    if (this.#beginsTable) this.#firstColumn = Number.POSITIVE_INFINITY
    this.#header = new Map()
    this.#isInTable = true
    if (isNameRow(row) || isPeriodRow(row) || mayNameGroups(row)) {
      this.#held = [row]
      return []
    }
    this.#isFirstTable = false
    return this.#toBlock(row, 'table-row')
  }
}

/** True when a row may extend or replace the held header. */
function mayExtendHeader([above, ...others]: readonly SheetRow[], row: SheetRow): boolean {
  if (above === undefined || others.length > 0) return false
  return (isNameRow(row) && row.cells.length > above.cells.length) || isGroupedHeader(above, row)
}

/** Texts of a row from a column on. After a wide gap each text starts with its column name. */
function toRowTexts(cells: readonly SheetCell[], from: number, header: ReadonlyMap<number, string>): string[] {
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

/** A wider header is read as a single row. */
const MAX_GROUPED_COLUMNS = 500

/** True for a row of names only. */
function isNameRow({ cells }: SheetRow): boolean {
  return cells.every(({ isText }) => isText) && looksLikeHeader(cells.map(({ text }) => text))
}

/** True for a row with at least two distinct years, months or days, with or without labels. */
function isPeriodRow({ cells }: SheetRow): boolean {
  const values = cells.filter(({ isText }) => !isText).map(({ text }) => text)
  const names = cells.filter(({ isText }) => isText)
  if (values.length < 2 || !values.every(isPeriod) || new Set(values).size < values.length) return false
  return names.every(({ text }) => text.length <= MAX_NAME_CHARACTERS && /\p{L}/u.test(text))
}

/** True for a row that may name column groups: several texts, years or days. */
function mayNameGroups({ cells }: SheetRow): boolean {
  return cells.length > 1 && cells.every(({ isText, text }) => isText || isPeriod(text))
}

/** True when `lower` names the columns within the groups of `upper`. */
function isGroupedHeader(upper: SheetRow, lower: SheetRow): boolean {
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
 * Picks the header among held rows; empty if there is no header. `next` is the following row of the
 * table, or `null`. A row with values confirms the names above as a header: both rows if the upper
 * one names groups. The sheet's first table may have a header above text only.
 */
function pickHeader(held: readonly SheetRow[], next: SheetRow | null, isFirstTable: boolean): readonly SheetRow[] {
  const [first, second] = held
  if (first === undefined) return []
  if (second === undefined && isPeriodRow(first)) return namesFigureColumns(first, next) ? held : []
  if (second === undefined && !isNameRow(first)) return []
  if (next?.cells.some(({ isText }) => !isText))
    return second === undefined || isGroupedHeader(first, second) ? held : [second]
  return isFirstTable && isNameRow(first) && (next !== null || second !== undefined) ? [first] : []
}

/**
 * True when a row of periods names columns of figures: the next row has no periods there, and a
 * label describes the figures.
 */
function namesFigureColumns(header: SheetRow, next: SheetRow | null): boolean {
  if (next === null) return false
  const columns = new Set(header.cells.filter(({ isText }) => !isText).map(({ column }) => column))
  const figures = next.cells.filter(({ column }) => columns.has(column))
  const [first] = next.cells
  const isLabelled = first?.isText === true && !columns.has(first.column)
  if (!isLabelled && !header.cells.some(({ isText }) => isText)) return false
  // The title of a row group has no figures.
  if (figures.length === 0) return true
  return (
    figures.every(({ isText }) => !isText) && figures.filter(({ text }) => isPeriod(text)).length * 2 < figures.length
  )
}
