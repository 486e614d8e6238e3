import { BULLET, type Cell, differsInStyle, type Line, SECTION_NUMBER } from './cell.ts'
import { listRows } from './regions.ts'
import type { Rule } from './rule.ts'
import { appendSpan, MAX_LEADING_SIZES, type Span } from './span.ts'

/** A row with fewer cells may be a list number and its text. */
const MIN_COLUMNS = 3
/** No readable row has more cells. */
const MAX_CELLS = 1_000

/**
 * Groups the spans of a region into rows of cells, top to bottom and left to right. A paragraph is
 * a row with one cell.
 *
 * Lines written consecutively in the file and stacked on the page form a cell, so that neighbors do
 * not split a cell of three lines. A rule between two lines separates the cells of a table.
 */
export function buildRows(spans: readonly Span[], rules: readonly Rule[] = []): Cell[][] {
  const cells = stackLines(joinSpans(spans), listRuleHeights(rules))
  const rows: Cell[][] = []
  for (const cell of cells.sort((a, b) => b.top - a.top || a.left - b.left)) {
    const last = rows.at(-1)
    if (last !== undefined && last.length < MAX_CELLS && last.every((other) => isAtSameHeight(other, cell)))
      last.push(cell)
    else rows.push([cell])
  }
  for (const row of rows) row.sort((a, b) => a.left - b.left)
  return repeatSpanningCells(rows)
}

/** A line with its neighbors at the same height. */
type PlacedLine = Span & {
  /** True without neighbors. */
  isAlone: boolean
  /** True after a bullet or list number. */
  isItem: boolean
  /** True for the line after a section number, and for the further lines of its cell. */
  isNumbered: boolean
  /** True for a line with a left neighbor in a table row. */
  isInner: boolean
  /** The space between the neighbors, unbounded on a side without neighbor. */
  room: HorizontalBounds
}

type HorizontalBounds = { left: number; right: number }

/**
 * A leading comma continues the sentence after a blank to fill in:
 * `this ___ day of      , 2027, by and between`.
 */
const CONTINUES_SENTENCE = /^[,;](?:\s|$)/

/** Joins the spans of a line that only a word space separates. */
function joinSpans(spans: readonly Span[]): PlacedLine[] {
  const lines: PlacedLine[] = []
  for (const row of listRows(spans)) {
    const from = lines.length
    for (const span of row) {
      const last = lines.length > from ? lines.at(-1) : undefined
      const isNext = last !== undefined && (isWordGap(last, span) || CONTINUES_SENTENCE.test(span.text))
      if (isNext) appendSpan(last, span, span.left - last.right < 0.12 * span.size ? '' : ' ')
      else lines.push(startLine(span, last !== undefined && BULLET.test(last.text)))
    }
    measureNeighbors(lines.slice(from))
  }
  return lines.sort((a, b) => a.order - b.order)
}

function isWordGap(last: Span, span: Span): boolean {
  return !span.startsCell && span.left - last.right < 0.45 * span.size
}

/** `row`: the lines side by side at the same height. */
function measureNeighbors(row: readonly PlacedLine[]): void {
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

function startLine(span: Span, isItem: boolean): PlacedLine {
  const room = { left: span.left, right: span.right }
  return { ...span, gaps: [...span.gaps], isAlone: true, isItem, isNumbered: false, isInner: false, room }
}

/** Level rules by height, in ascending order. */
function listRuleHeights(rules: readonly Rule[]): Rule[] {
  return rules.filter(({ isLevel }) => isLevel).sort((a, b) => a.at - b.at)
}

/**
 * True if a rule between two lines separates rows: it runs under several cells. An underline or the
 * blank of a form ends with its cell.
 */
function arePartedByRule(above: PlacedLine, line: PlacedLine, levels: readonly Rule[]): boolean {
  if (levels.length === 0 || (above.isAlone && line.isAlone)) return false
  const left = Math.min(above.left, line.left)
  const right = Math.max(above.right, line.right)
  for (let at = findFirstAbove(levels, line.baseline + 0.5 * line.size); at < levels.length; at += 1) {
    const rule = levels[at]
    if (rule === undefined || rule.at > above.baseline) return false
    const isOver = rule.from <= left + above.size && rule.to >= right - above.size
    if (isOver && [above, line].some(({ room }) => reachesBeyond(rule, room))) return true
  }
  return false
}

/** True if a rule reaches a neighbor of the line. */
function reachesBeyond({ from, to }: Rule, room: HorizontalBounds): boolean {
  return (Number.isFinite(room.left) && from < room.left) || (Number.isFinite(room.right) && to > room.right)
}

/** Index of the lowest rule above a height. */
function findFirstAbove(levels: readonly Rule[], height: number): number {
  let [from, to] = [0, levels.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((levels[middle]?.at ?? height) > height) to = middle
    else from = middle + 1
  }
  return from
}

function stackLines(lines: readonly PlacedLine[], levels: readonly Rule[]): Cell[] {
  const cells: Cell[] = []
  let last: StackedLine | null = null
  let alone: StackedLine | null = null
  for (const line of lines) {
    const found: StackedLine | null = findLineAbove(line, last, alone)
    const above: StackedLine | null = found !== null && arePartedByRule(found.line, line, levels) ? null : found
    const cell: Cell = above?.cell ?? newCell(line)
    if (above === null) cells.push(cell)
    else addLine(above, line)
    last = { line, cell }
    if (line.isAlone) alone = last
  }
  return cells
}

type StackedLine = { line: PlacedLine; cell: Cell }

function newCell(line: PlacedLine): Cell {
  const { left, right, top, bottom, order } = line
  return { lines: [line], left, right, top, bottom, order }
}

function addLine({ line: above, cell }: StackedLine, line: PlacedLine): void {
  cell.lines.push(line)
  line.isNumbered ||= above.isNumbered
  cell.left = Math.min(cell.left, line.left)
  cell.right = Math.max(cell.right, line.right)
  cell.bottom = Math.min(cell.bottom, line.bottom)
}

/**
 * Finds the line above that `line` continues: the previous line in file order, or the last line
 * that is alone in its row. The latter applies when vertically centered cells come between the two
 * lines in the file.
 */
function findLineAbove(line: PlacedLine, last: StackedLine | null, alone: StackedLine | null): StackedLine | null {
  if (last === null || continuesCell(last.line, line)) return last
  return alone !== null && isInterrupted(alone, line, last.line) && continuesCell(alone.line, line) ? alone : null
}

/** `between`: the line between both in file order. */
function isInterrupted({ line: above, cell }: StackedLine, line: PlacedLine, between: PlacedLine): boolean {
  const mayContinue = line.isAlone || (line.isInner && cell.lines.length === 1)
  const isBelow =
    Math.abs(above.left - line.left) < 0.5 * line.size && above.baseline - line.baseline <= 1.5 * line.size
  return mayContinue && isBelow && between.baseline < above.baseline
}

function continuesCell(above: PlacedLine, line: PlacedLine): boolean {
  const size = Math.max(above.size, line.size)
  const leading = above.baseline - line.baseline
  const overlap = Math.min(above.right, line.right) - Math.max(above.left, line.left)
  if (line.isItem || BULLET.test(line.text) || BULLET.test(above.text)) return false
  if (leading <= 0.5 * size || leading > MAX_LEADING_SIZES * size || overlap <= 0) return false
  if (above.isNumbered && differsInStyle(above, line) && isBelowSectionNumber(above, line)) return false
  if (above.isAlone === line.isAlone) return true
  // A differing or wider line above a table is its heading or caption.
  if (above.isAlone && (differsInStyle(above, line) || !fitsWithin(above, line.room))) return false
  // The end of a cell with shorter neighbors, not the paragraph after a table.
  const isBelow = Math.abs(above.left - line.left) < 0.5 * size
  const hasSameCenter = Math.abs(above.left + above.right - line.left - line.right) < size
  const isFlush = Math.abs(above.right - line.right) < 0.5 * size && fitsWithin(line, above.room)
  return leading <= 1.5 * size && (isBelow || hasSameCenter || isFlush)
}

/**
 * A line below `1  Introduction` that starts at the number or has a wide gap does not continue the
 * heading.
 */
function isBelowSectionNumber(above: PlacedLine, line: PlacedLine): boolean {
  return !line.isAlone || line.left < above.left - 0.5 * line.size
}

function fitsWithin(line: Line, room: HorizontalBounds): boolean {
  return line.left >= room.left && line.right <= room.right
}

/** True for cells at the same height that do not overlap horizontally. */
function isAtSameHeight(a: Cell, b: Cell): boolean {
  const overlap = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom)
  return isHorizontallyApart(a, b) && overlap > 0.4 * Math.min(a.top - a.bottom, b.top - b.bottom)
}

/** Longer spans are accidental. */
const MAX_SPANNED_ROWS = 60
const MAX_COLUMNS = 200
/** Maximum offset between the center of a cell and the center of its rows, in lines. */
const MAX_CENTER_OFFSET_LINES = 0.75

/**
 * Repeats a vertically centered cell, such as a group label, in each row that the cell spans.
 * Otherwise the cell would be a row between two rows, or belong to the middle row only.
 *
 * File order and height determine the spanned rows: the file has the cell before its right neighbor
 * in the first row.
 */
function repeatSpanningCells(rows: readonly Cell[][]): Cell[][] {
  const placed = mergeInBetweenRows(rows)
  const spread = placed.map((row) => [...row])
  for (const [index, row] of placed.entries()) {
    for (const cell of row.length > MAX_COLUMNS ? [] : row) {
      if (placed[index - 1]?.includes(cell)) continue
      const [first, last] = findSpannedRows(placed, index, cell)
      for (let at = first; at <= last; at += 1) if (spread[at]?.includes(cell) === false) spread[at]?.push(cell)
    }
  }
  for (const row of spread) row.sort((a, b) => a.left - b.left)
  return spread
}

/**
 * Adds cells between two rows to both rows. The rows must be too close for a row between them, or
 * the file must have the cells in the upper row.
 */
function mergeInBetweenRows(rows: readonly Cell[][]): Cell[][] {
  const placed: Cell[][] = []
  let waiting: readonly Cell[] = []
  for (const [index, own] of rows.entries()) {
    const row = [...own, ...waiting].sort((a, b) => a.left - b.left)
    waiting = []
    const [above, below] = [placed.at(-1) ?? [], rows[index + 1] ?? []]
    if (isInBetweenRow(row, above, below)) {
      above.push(...row)
      above.sort((a, b) => a.left - b.left)
      waiting = row
    } else placed.push(row)
  }
  return placed
}

function isInBetweenRow(row: readonly Cell[], above: readonly Cell[], below: readonly Cell[]): boolean {
  if ([above, below].some(({ length }) => length < 2 || length > MAX_COLUMNS)) return false
  const others = [...above, ...below]
  return row.every(
    (cell) =>
      hasRoomFor(others, cell) &&
      (others.every((other) => overlapsVertically(cell, other)) ||
        (precedesRightNeighbor(cell, above) && isCentered(cell, [above, below]))),
  )
}

/** Returns the first and last row that a cell spans. */
function findSpannedRows(
  rows: readonly (readonly Cell[])[],
  index: number,
  cell: Cell,
): readonly [first: number, last: number] {
  const own = rows[index + 1]?.includes(cell) === true ? index + 1 : index
  const first = findFirstSpannedRow(rows, index, cell)
  if (first === index) return [index, own]
  const last = own + index - first
  const between = rows.slice(first, last + 1).map((row) => row.filter((other) => other !== cell))
  const isWhole = last < rows.length && between.every((row) => row.length > 1 && hasRoomFor(row, cell))
  return isWhole && isCentered(cell, between) ? [first, last] : [index, own]
}

/** Finds the row, at `index` or above, where the file places the cell. */
function findFirstSpannedRow(rows: readonly (readonly Cell[])[], index: number, cell: Cell): number {
  let first = index
  while (
    index - first < MAX_SPANNED_ROWS &&
    precedesRightNeighbor(cell, rows[first - 1]) &&
    hasRoomFor(rows[first - 1] ?? [], cell)
  )
    first -= 1
  return first
}

/** True when the file has the cell before its right neighbor in a row. */
function precedesRightNeighbor(cell: Cell, row: readonly Cell[] = []): boolean {
  const right = row.length > MAX_COLUMNS ? undefined : row.find((other) => other.left >= cell.right - 1)
  return right !== undefined && right.order > cell.order
}

function hasRoomFor(row: readonly Cell[], cell: Cell): boolean {
  return row.every((other) => isHorizontallyApart(other, cell))
}

function isCentered(cell: Cell, rows: readonly (readonly Cell[])[]): boolean {
  const top = Math.max(...(rows[0] ?? []).map((other) => other.top))
  const bottom = Math.min(...(rows.at(-1) ?? []).map((other) => other.bottom))
  const height = cell.lines[0]?.size ?? 0
  return Math.abs((top + bottom) / 2 - (cell.top + cell.bottom) / 2) < MAX_CENTER_OFFSET_LINES * height
}

function isHorizontallyApart(a: Cell, b: Cell): boolean {
  return a.right <= b.left + 1 || b.right <= a.left + 1
}

function overlapsVertically(a: Cell, b: Cell): boolean {
  return Math.min(a.top, b.top) > Math.max(a.bottom, b.bottom)
}
