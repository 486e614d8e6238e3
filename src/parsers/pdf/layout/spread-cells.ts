import type { Cell } from './cell.ts'

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
export function spreadCells(rows: readonly Cell[][]): Cell[][] {
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
