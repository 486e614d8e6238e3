import { BULLET, type Cell, type Line, looksOther, SECTION_NUMBER } from './cell.ts'
import { listRows } from './regions.ts'
import { appendSpan, LEADING_SIZES, type Span } from './span.ts'

/** A row of a table, where fewer may be the number of an item and its text. */
const MIN_COLUMNS = 3
/** No row that a person reads has more. */
const MAX_CELLS = 1_000

/**
 * The spans of a region as rows of cells, from top to bottom and left to right: a paragraph is a row of one cell, a row of a table one of several. Lines
 * that the file wrote one after the other and that stand under each other make a cell, so that a cell of three lines is not torn by its neighbours.
 */
export function buildRows(spans: readonly Span[]): Cell[][] {
  const cells = stackLines(joinSpans(spans))
  const rows: Cell[][] = []
  for (const cell of cells.sort((a, b) => b.top - a.top || a.left - b.left)) {
    const last = rows.at(-1)
    if (last !== undefined && last.length < MAX_CELLS && last.every((other) => standsBeside(other, cell)))
      last.push(cell)
    else rows.push([cell])
  }
  for (const row of rows) row.sort((a, b) => a.left - b.left)
  return spreadCells(rows)
}

/** `isItem`: a bullet or number stands before it; `isNumbered`: nothing but the number of a section stands before it, or its first line. `room`: from side to side, what lies between its neighbours in the row; nothing bounds one that is alone. `isInner`: others stand before it in a row of a table. */
type Ordered = Span & { isAlone: boolean; isItem: boolean; isNumbered: boolean; isInner: boolean; room: Room }

type Room = { left: number; right: number }

/** No cell begins so: a blank to be filled in stands before it, `this ___ day of      , 2027, by and between`. */
const GOES_ON = /^[,;](?:\s|$)/

/** Spans of one line that only a wide space parts; in a line of its own all are one, where no table stands around it. */
function joinSpans(spans: readonly Span[]): Ordered[] {
  const lines: Ordered[] = []
  for (const row of listRows(spans)) {
    const from = lines.length
    for (const span of row) {
      const last = lines.length > from ? lines.at(-1) : undefined
      const isNext = last !== undefined && (goesOn(last, span) || GOES_ON.test(span.text))
      if (isNext) appendSpan(last, span, span.left - last.right < 0.12 * span.size ? '' : ' ')
      else lines.push(begin(span, last !== undefined && BULLET.test(last.text)))
    }
    giveRooms(lines.slice(from))
  }
  return lines.sort((a, b) => a.order - b.order)
}

function goesOn(last: Span, span: Span): boolean {
  return !span.beginsCell && span.left - last.right < 0.45 * span.size
}

/** `row`: the lines that stand side by side. */
function giveRooms(row: readonly Ordered[]): void {
  for (const [index, line] of row.entries()) {
    line.isAlone = row.length === 1
    line.isInner = index > 0 && row.length >= MIN_COLUMNS
    line.isNumbered = index === 1 && row.length === 2 && SECTION_NUMBER.test(row[0]?.text ?? '')
    line.room = {
      left: row[index - 1]?.right ?? Number.NEGATIVE_INFINITY,
      right: row[index + 1]?.left ?? Number.POSITIVE_INFINITY,
    }
  }
}

function begin(span: Span, isItem: boolean): Ordered {
  const room = { left: span.left, right: span.right }
  return { ...span, gaps: [...span.gaps], isAlone: true, isItem, isNumbered: false, isInner: false, room }
}

function stackLines(lines: readonly Ordered[]): Cell[] {
  const cells: Cell[] = []
  let last: Stacked | null = null
  let alone: Stacked | null = null
  for (const line of lines) {
    const above: Stacked | null = findAbove(line, last, alone)
    const cell: Cell = above?.cell ?? newCell(line)
    if (above === null) cells.push(cell)
    else addLine(above, line)
    last = { line, cell }
    if (line.isAlone) alone = last
  }
  return cells
}

type Stacked = { line: Ordered; cell: Cell }

function newCell(line: Ordered): Cell {
  const { left, right, top, bottom, order } = line
  return { lines: [line], left, right, top, bottom, order }
}

function addLine({ line: above, cell }: Stacked, line: Ordered): void {
  cell.lines.push(line)
  line.isNumbered ||= above.isNumbered
  cell.left = Math.min(cell.left, line.left)
  cell.right = Math.max(cell.right, line.right)
  cell.bottom = Math.min(cell.bottom, line.bottom)
}

/**
 * What a line goes on: the last one in the order of the file; or else the last that stands alone, where other cells of their row stand in the middle beside them,
 * so that the file has some of these between the two.
 */
function findAbove(line: Ordered, last: Stacked | null, alone: Stacked | null): Stacked | null {
  if (last === null || continues(last.line, line)) return last
  return alone !== null && isParted(alone, line, last.line) && continues(alone.line, line) ? alone : null
}

/** `between`: what the file has between them. */
function isParted({ line: above, cell }: Stacked, line: Ordered, between: Ordered): boolean {
  const mayGoOn = line.isAlone || (line.isInner && cell.lines.length === 1)
  const isBelow =
    Math.abs(above.left - line.left) < 0.5 * line.size && above.baseline - line.baseline <= 1.5 * line.size
  return mayGoOn && isBelow && between.baseline < above.baseline
}

function continues(above: Ordered, line: Ordered): boolean {
  const size = Math.max(above.size, line.size)
  const leading = above.baseline - line.baseline
  const overlap = Math.min(above.right, line.right) - Math.max(above.left, line.left)
  if (line.isItem || BULLET.test(line.text) || BULLET.test(above.text)) return false
  if (leading <= 0.5 * size || leading > LEADING_SIZES * size || overlap <= 0) return false
  if (above.isNumbered && looksOther(above, line) && isBelowNumber(above, line)) return false
  if (above.isAlone === line.isAlone) return true
  // A line above a table that looks otherwise, or is too long for the column, is its heading or caption.
  if (above.isAlone && (looksOther(above, line) || !fits(above, line.room))) return false
  // The end of a cell whose neighbours have fewer lines, not the paragraph after a table.
  const isBelow = Math.abs(above.left - line.left) < 0.5 * size
  const isCentred = Math.abs(above.left + above.right - line.left - line.right) < size
  const isFlush = Math.abs(above.right - line.right) < 0.5 * size && fits(line, above.room)
  return leading <= 1.5 * size && (isBelow || isCentred || isFlush)
}

/** Below `1  Introduction` a line begins where the number does, or has a wide gap, too: it is no further line of the heading. */
function isBelowNumber(above: Ordered, line: Ordered): boolean {
  return !line.isAlone || line.left < above.left - 0.5 * line.size
}

function fits(line: Line, room: Room): boolean {
  return line.left >= room.left && line.right <= room.right
}

/** Same height on the page, without standing over each other. */
function standsBeside(a: Cell, b: Cell): boolean {
  const isBeside = a.right <= b.left + 1 || b.right <= a.left + 1
  const overlap = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom)
  return isBeside && overlap > 0.4 * Math.min(a.top - a.bottom, b.top - b.bottom)
}

/** A cell of more rows is an accident. */
const MAX_ROWS = 60
const MAX_COLUMNS = 200
/** Its middle is that of its rows, give or take this part of a line. */
const MIDDLE_LINES = 0.75

/**
 * Rows with a cell that was drawn in the middle of several of them, such as the label of a group, in each of those: it alone would stand between two rows
 * or in the middle one. Which rows are its own is told by the order of the file, which has it before what stands beside it in the first of them, and by its
 * height.
 */
function spreadCells(rows: readonly Cell[][]): Cell[][] {
  const placed = placeBetween(rows)
  const spread = placed.map((row) => [...row])
  for (const [index, row] of placed.entries()) {
    for (const cell of row.length > MAX_COLUMNS ? [] : row) {
      if (placed[index - 1]?.includes(cell)) continue
      const [first, last] = findRows(placed, index, cell)
      for (let at = first; at <= last; at += 1) if (spread[at]?.includes(cell) === false) spread[at]?.push(cell)
    }
  }
  for (const row of spread) row.sort((a, b) => a.left - b.left)
  return spread
}

/** Cells between two rows stand in both, where those are too near to each other for a row between them, or the file has the cells in the upper one. */
function placeBetween(rows: readonly Cell[][]): Cell[][] {
  const placed: Cell[][] = []
  let waiting: readonly Cell[] = []
  for (const [index, own] of rows.entries()) {
    const row = [...own, ...waiting].sort((a, b) => a.left - b.left)
    waiting = []
    const [above, below] = [placed.at(-1) ?? [], rows[index + 1] ?? []]
    if (isBetween(row, above, below)) {
      above.push(...row)
      above.sort((a, b) => a.left - b.left)
      waiting = row
    } else placed.push(row)
  }
  return placed
}

function isBetween(row: readonly Cell[], above: readonly Cell[], below: readonly Cell[]): boolean {
  if ([above, below].some(({ length }) => length < 2 || length > MAX_COLUMNS)) return false
  const others = [...above, ...below]
  return row.every(
    (cell) =>
      isFree(others, cell) &&
      (others.every((other) => sharesHeight(cell, other)) ||
        (standsBefore(cell, above) && isInMiddle(cell, [above, below]))),
  )
}

/** The first and the last row that a cell stands in. */
function findRows(
  rows: readonly (readonly Cell[])[],
  index: number,
  cell: Cell,
): readonly [first: number, last: number] {
  const own = rows[index + 1]?.includes(cell) === true ? index + 1 : index
  const first = findFirst(rows, index, cell)
  if (first === index) return [index, own]
  const last = own + index - first
  const between = rows.slice(first, last + 1).map((row) => row.filter((other) => other !== cell))
  const isWhole = last < rows.length && between.every((row) => row.length > 1 && isFree(row, cell))
  return isWhole && isInMiddle(cell, between) ? [first, last] : [index, own]
}

/** The row that the file has the cell in, at its own row or above. */
function findFirst(rows: readonly (readonly Cell[])[], index: number, cell: Cell): number {
  let first = index
  while (index - first < MAX_ROWS && standsBefore(cell, rows[first - 1]) && isFree(rows[first - 1] ?? [], cell))
    first -= 1
  return first
}

/** True where the file has the cell before that which stands at its right in a row. */
function standsBefore(cell: Cell, row: readonly Cell[] = []): boolean {
  const right = row.length > MAX_COLUMNS ? undefined : row.find((other) => other.left >= cell.right - 1)
  return right !== undefined && right.order > cell.order
}

function isFree(row: readonly Cell[], cell: Cell): boolean {
  return row.every((other) => isBeside(other, cell))
}

function isInMiddle(cell: Cell, rows: readonly (readonly Cell[])[]): boolean {
  const top = Math.max(...(rows[0] ?? []).map((other) => other.top))
  const bottom = Math.min(...(rows.at(-1) ?? []).map((other) => other.bottom))
  const height = cell.lines[0]?.size ?? 0
  return Math.abs((top + bottom) / 2 - (cell.top + cell.bottom) / 2) < MIDDLE_LINES * height
}

function isBeside(a: Cell, b: Cell): boolean {
  return a.right <= b.left + 1 || b.right <= a.left + 1
}

function sharesHeight(a: Cell, b: Cell): boolean {
  return Math.min(a.top, b.top) > Math.max(a.bottom, b.bottom)
}
