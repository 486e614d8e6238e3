import { buildRows } from './build-rows.ts'
import type { Cell } from './cell.ts'
import { listRows } from './regions.ts'
import type { Rule } from './rule.ts'
import { type Box, findGrids, type Grid } from './ruled-grid.ts'
import { appendSpan, type Span } from './span.ts'
import { splitSpan } from './split-cells.ts'

/** A ruled table with its text. `aligned`: rows with a cell or `null` for each column. */
export type RuledTable = {
  top: number
  left: number
  right: number
  /** Lines over all columns above the first row, such as a title. */
  titles: Cell[]
  aligned: (Cell | null)[][]
  /** The spans of the page that are in the table. */
  spans: ReadonlySet<Span>
}

/** Height of the middle of a letter above the baseline, in font sizes. */
const MIDDLE_SIZES = 0.3
/** Minimum share of the boxes that have text; charts have few. */
const MIN_FILLED_SHARE = 0.25
const MIN_FILLED_BOXES = 4
/** A wider gap within a cell, in font sizes, separates columns that have no rule between them. */
const MAX_GAP_SIZES = 2.5
/** A longer text in a frame is no cell. */
const MAX_LINES = 40
/** Tables with more rows than this separate rows by rules. */
const MAX_UNRULED_ROWS = 3
const MAX_CELL_LINES = 3
/** Longer texts of a cell over several rows are not repeated. */
const MAX_REPEATED_CHARACTERS = 200

/** Lists the ruled tables of a page from top to bottom. */
export function listRuledTables(spans: readonly Span[], rules: readonly Rule[]): RuledTable[] {
  const tables: RuledTable[] = []
  for (const grid of findGrids(rules)) {
    const table = readTable(grid, spans)
    const isNew = table !== null && !tables.some((other) => [...table.spans].some((span) => other.spans.has(span)))
    if (isNew) tables.push(table)
  }
  return tables.sort((a, b) => b.top - a.top)
}

type BoxText = { box: Box; spans: Span[]; cell: Cell }

/** `null` if the text is not arranged as the rules suggest. */
function readTable(grid: Grid, spans: readonly Span[]): RuledTable | null {
  const inside = spans.filter((span) => isInside(grid, span))
  const placed = new Map<Box, Span[]>()
  for (const span of inside.flatMap((whole) => splitAtWalls(grid, whole))) {
    const box = findBox(grid, span)
    const others = placed.get(box)
    if (others === undefined) placed.set(box, [span])
    else others.push(span)
  }
  const texts = new Map([...placed].map(([box, own]) => [box, { box, spans: own, cell: stackCell(own) }]))
  if (!isFilled(grid, [...texts.values()])) return null
  if ([...texts.values()].some(({ spans: own, cell }) => cell.lines.length > MAX_LINES || hasColumns(own))) return null
  const { titles, first } = listTitles(grid, texts)
  const aligned = grid.ys.slice(1).flatMap((_, row) => (row < first ? [] : alignBand(grid, row, texts)))
  const [top = 0, left = 0, right = 0] = [grid.ys[0], grid.xs[0], grid.xs.at(-1)]
  return { top, left, right, titles, aligned, spans: new Set(inside) }
}

function middleOf({ baseline, size }: Span): number {
  return baseline + MIDDLE_SIZES * size
}

function isInside({ xs, ys }: Grid, span: Span): boolean {
  const [x, y] = [(span.left + span.right) / 2, middleOf(span)]
  return x > (xs[0] ?? 0) && x < (xs.at(-1) ?? 0) && y < (ys[0] ?? 0) && y > (ys.at(-1) ?? 0)
}

function findRow({ ys }: Grid, span: Span): number {
  const y = middleOf(span)
  return Math.max(
    0,
    ys.findLastIndex((border) => border > y),
  )
}

/** A text that runs over its border belongs to the box where it begins. */
function findBox(grid: Grid, span: Span): Box {
  const x = span.left + Math.min(span.size, span.right - span.left) / 2
  const column = grid.xs.findLastIndex((border) => border <= x)
  return grid.boxAt(findRow(grid, span), Math.max(0, Math.min(column, grid.xs.length - 2)))
}

/** Splits a span at the word gaps that a rule crosses. */
function splitAtWalls(grid: Grid, span: Span): Span[] {
  const row = findRow(grid, span)
  const starts = span.gaps.filter(({ left, right }) =>
    grid.xs.some((x, column) => {
      if (x < left - 1 || x > right + 1 || column === 0 || column === grid.xs.length - 1) return false
      return grid.boxAt(row, column - 1) !== grid.boxAt(row, column)
    }),
  )
  return splitSpan(span, new Set(starts.map(({ at }) => at + 1)))
}

function stackCell(spans: readonly Span[]): Cell {
  const lines = listRows(spans).map(([first, ...others]) => {
    const line = { ...(first as Span), gaps: [] }
    for (const span of others) appendSpan(line, span, span.left - line.right < 0.12 * span.size ? '' : ' ')
    return line
  })
  return {
    lines,
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
    top: Math.max(...lines.map(({ top }) => top)),
    bottom: Math.min(...lines.map(({ bottom }) => bottom)),
    order: Math.min(...lines.map(({ order }) => order)),
  }
}

function isFilled(grid: Grid, texts: readonly BoxText[]): boolean {
  const boxes = new Set(
    grid.ys.slice(1).flatMap((_, row) => grid.xs.slice(1).map((_x, column) => grid.boxAt(row, column))),
  )
  const rows = new Set(texts.map(({ box }) => box.firstRow))
  const columns = new Set(texts.map(({ box }) => box.firstColumn))
  const isEnough = texts.length >= MIN_FILLED_BOXES && texts.length >= MIN_FILLED_SHARE * boxes.size
  return isEnough && rows.size > 1 && columns.size > 1
}

/** True when several lines of a cell have wide gaps: the cell contains a table. */
function hasColumns(spans: readonly Span[]): boolean {
  const apart = listRows(spans).filter((row) =>
    row.some((span, index) => index > 0 && span.left - (row[index - 1]?.right ?? 0) > MAX_GAP_SIZES * span.size),
  )
  return apart.length > 1
}

type BoxTexts = ReadonlyMap<Box, BoxText>

function listTitles(grid: Grid, texts: BoxTexts): { titles: Cell[]; first: number } {
  const titles: Cell[] = []
  let first = 0
  for (; first < grid.ys.length - 1; first++) {
    const box = grid.boxAt(first, 0)
    if (box.lastColumn !== grid.xs.length - 2 || box.lastRow !== first) break
    const title = texts.get(box)?.cell
    if (title !== undefined) titles.push(title)
  }
  return { titles, first }
}

/** The rows of a band between two level rules: mostly one, several if their rows have no rules. */
function alignBand(grid: Grid, row: number, texts: BoxTexts): (Cell | null)[][] {
  const boxes = [...new Set(grid.xs.slice(1).map((_, column) => grid.boxAt(row, column)))]
  const found = boxes.flatMap((box) => texts.get(box) ?? [])
  const own = found.filter(({ box }) => box.firstRow === row && box.lastRow === row)
  const spanning = found.filter(({ box }) => box.firstRow !== box.lastRow && isRepeated(texts.get(box), row))
  const starts = spanning.some(({ box }) => box.firstRow === row)
  if (own.length === 0 && !starts) return []
  const rows = isOneRow(own, grid.ys.length - 1) ? [own] : splitRows(own, grid)
  return rows.map((cells) => alignRow([...cells, ...spanning]))
}

/** A cell over several rows is repeated in each row, as a label is. */
function isRepeated(text: BoxText | undefined, row: number): boolean {
  if (text === undefined || text.box.firstRow === row) return true
  return text.cell.lines.reduce((total, line) => total + line.text.length, 0) <= MAX_REPEATED_CHARACTERS
}

/** Cells by the first column that each covers; trailing empty cells are omitted. */
function alignRow(texts: readonly PlacedCell[]): (Cell | null)[] {
  const aligned: (Cell | null)[] = []
  for (const { box, cell } of texts) {
    while (aligned.length <= box.firstColumn) aligned.push(null)
    aligned[box.firstColumn] = cell
  }
  return aligned
}

/**
 * True if the lines of a band form cells, false for rows without rules between them. The file
 * writes cells one after the other, but rows without rules line by line.
 */
function isOneRow(texts: readonly BoxText[], bands: number): boolean {
  const counts = texts.map(({ cell }) => cell.lines.length)
  const max = Math.max(0, ...counts)
  // Rows without rules fill several columns.
  if (counts.filter((count) => count > 1).length < 2) return true
  if (bands > MAX_UNRULED_ROWS) return max <= MAX_CELL_LINES || !isInterleaved(texts)
  return !isInterleaved(texts) && (max < MAX_CELL_LINES || !haveSameLines(texts))
}

function isInterleaved(texts: readonly BoxText[]): boolean {
  const spans = texts.flatMap(({ box, spans: own }) => own.map(({ order }) => ({ box, order })))
  const ordered = spans.sort((a, b) => a.order - b.order)
  const runs = ordered.filter(({ box }, index) => box !== ordered[index - 1]?.box).length
  return runs > texts.length
}

/** True if all cells have the same lines side by side. */
function haveSameLines(texts: readonly BoxText[]): boolean {
  const [first, ...others] = texts.map(({ cell }) => cell.lines)
  return (
    first !== undefined &&
    others.every((lines) => lines.length === first.length) &&
    others.every((lines) =>
      lines.every(({ baseline, size }, index) => Math.abs(baseline - (first[index]?.baseline ?? 0)) < 0.5 * size),
    )
  )
}

type PlacedCell = Pick<BoxText, 'box' | 'cell'>

/** Splits the lines of a band into rows. */
function splitRows(texts: readonly BoxText[], { xs }: Grid): PlacedCell[][] {
  const spans = texts.flatMap(({ spans: own }) => own)
  const isEven = haveSameLines(texts)
  const rows = isEven ? listRows(spans).map((row) => row.map((span) => stackCell([span]))) : buildRows(spans)
  return rows.map((row) => {
    const cells = new Map<Box, Cell>()
    for (const cell of row) {
      const x = (cell.left + cell.right) / 2
      const text = texts.find(({ box }) => x < (xs[box.lastColumn + 1] ?? Number.POSITIVE_INFINITY)) ?? texts.at(-1)
      if (text === undefined) continue
      const other = cells.get(text.box)
      cells.set(text.box, other === undefined ? cell : { ...other, lines: [...other.lines, ...cell.lines] })
    }
    return [...cells].map(([box, cell]) => ({ box, cell }))
  })
}
