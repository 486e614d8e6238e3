import type { Cell } from './cell.ts'

/**
 * Maximum offset of a header cell from the center of its columns, as a share of the distance
 * between two column centers. Figures are right-aligned, so the centers differ.
 */
const MAX_CENTER_OFFSET = 0.25

/**
 * Aligns the cells of a table with its columns and inserts `null` for empty cells, so that later
 * cells keep their column. Trailing empty cells are omitted.
 *
 * A cell that spans several columns, such as a group header, goes into the first of them, even when
 * centered. A cell aligned to the opposite side of its column's header belongs to that column.
 *
 * A row with a cell outside all columns is returned unchanged. All rows are unchanged when columns
 * overlap.
 */
export function alignCells(rows: readonly Cell[][]): (Cell | null)[][] {
  const columns = widenColumns(listColumns(rows), rows)
  const heads = rows.findIndex((row) => row.length === columns.length)
  return rows.map(
    (row, index) => (index < heads ? alignGroupHeader(row, columns) : null) ?? alignRow(row, columns) ?? row,
  )
}

/**
 * Aligns a group header row above the columns; `null` for other rows. Each cell of such a row is
 * centered over its columns, and the row covers all columns.
 */
function alignGroupHeader(row: readonly Cell[], columns: readonly Column[]): (Cell | null)[] | null {
  const aligned: (Cell | null)[] = []
  for (const cell of row) {
    const last = findLastColumn(cell, columns, aligned.length)
    if (last < 0) return null
    const empty = last - aligned.length
    aligned.push(cell, ...new Array<null>(empty).fill(null))
  }
  return aligned.length === columns.length ? aligned.slice(0, aligned.findLastIndex((cell) => cell !== null) + 1) : null
}

/**
 * Returns the last column such that the cell is centered over `first` to that column. Returns
 * `first` for a cell over that column alone, -1 for no match.
 */
function findLastColumn(cell: Cell, columns: readonly Column[], first: number): number {
  const over = columns.filter((column) => overlaps(cell, column))
  const begin = columns[first]
  if (begin === undefined) return -1
  for (let last = first + 1; last < columns.length; last += 1) {
    const [before, end] = [columns[last - 1], columns[last]]
    if (before === undefined || end === undefined) return -1
    const off = Math.abs(centerOf(cell) - centerOf({ left: begin.left, right: end.right }))
    if (off < MAX_CENTER_OFFSET * (centerOf(end) - centerOf(before))) return last
  }
  return over.length === 1 && over[0] === begin ? first : -1
}

function centerOf({ left, right }: Column): number {
  return (left + right) / 2
}

/** Column bounds, taken from the rows with the most cells; empty when those rows overlap. */
function listColumns(rows: readonly Cell[][]): Column[] {
  const max = Math.max(0, ...rows.map((row) => row.length))
  const full = rows.filter((row) => row.length === max)
  // A single full row in the middle may be a line with wide gaps. A single full row on top is a
  // header that defines the columns.
  if (full.length === 1 && full[0] !== rows[0]) return []
  const columns: Column[] = []
  for (let index = 0; index < max; index++) {
    const cells = full.flatMap((row) => row[index] ?? [])
    const left = Math.min(...cells.map((cell) => cell.left))
    if (left < (columns.at(-1)?.right ?? Number.NEGATIVE_INFINITY)) return []
    columns.push({ left, right: Math.max(...cells.map((cell) => cell.right)) })
  }
  return columns
}

function alignRow(row: readonly Cell[], columns: readonly Column[]): (Cell | null)[] | null {
  if (row.length >= columns.length) return null
  const aligned: (Cell | null)[] = []
  let next = 0
  for (const cell of row) {
    const over = [...columns.keys()].filter((index) => overlaps(cell, columns[index]))
    const [column] = over
    if (column === undefined || column < next) return null
    while (aligned.length < column) aligned.push(null)
    aligned.push(cell)
    next = column + over.length
  }
  return aligned
}

/** Horizontal bounds of a column. */
type Column = Pick<Cell, 'left' | 'right'>

/**
 * Widens each column that has a header but no cells to cover unassigned cells, such as
 * right-aligned figures under a left-aligned header. Returns `columns` unchanged when the
 * assignment is ambiguous.
 */
function widenColumns(columns: readonly Column[], rows: readonly Cell[][]): readonly Column[] {
  const cells = rows.filter((row) => row.length < columns.length).flat()
  const loose = mergeOverlapping(cells.filter((cell) => columns.every((column) => !overlaps(cell, column))))
  if (loose.length === 0) return columns
  const free = columns.filter((column) => cells.every((cell) => !overlaps(cell, column)))
  const owners = loose.length === free.length ? free : loose.map((stripe) => findColumnLeftOf(stripe, columns))
  const widened = columns.map((column) => {
    const own = loose.filter((_, index) => owners[index] === column)
    const all = [column, ...own]
    return { left: Math.min(...all.map(({ left }) => left)), right: Math.max(...all.map(({ right }) => right)) }
  })
  const isApart = widened.every((column, index) => index === 0 || column.left >= (widened[index - 1]?.right ?? 0))
  const areOwned = owners.every(
    (owner, index) => owner !== undefined && free.includes(owner) && !owners.includes(owner, index + 1),
  )
  return isApart && areOwned ? widened : columns
}

/** The nearest column to the left: headers are left-aligned in a column, figures right-aligned. */
function findColumnLeftOf(stripe: Column, columns: readonly Column[]): Column | undefined {
  return columns.findLast(({ right }) => right <= stripe.left)
}

/** Merges overlapping cells into stripes, from left to right. */
function mergeOverlapping(cells: readonly Column[]): Column[] {
  const stripes: Column[] = []
  for (const { left, right } of [...cells].sort((a, b) => a.left - b.left)) {
    const last = stripes.at(-1)
    if (last !== undefined && left < last.right) last.right = Math.max(last.right, right)
    else stripes.push({ left, right })
  }
  return stripes
}

/** True when both overlap horizontally. */
function overlaps(cell: Column, column: Column | undefined): boolean {
  return column !== undefined && cell.left < column.right && column.left < cell.right
}
