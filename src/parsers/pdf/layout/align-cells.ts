import type { Cell } from './cells.ts'

/** Where the cells of a column stand, from side to side. */
type Column = Pick<Cell, 'left' | 'right'>

/**
 * The rows of a table with `null` where a column has nothing in a row, so that what follows does not move into its place; nothing is put behind the last
 * cell of a row. A cell that stands over several columns, as the head of a group does, is in the first of them. A row in which a cell stands under no column
 * stays as it is, and so do all where the columns overlap.
 */
export function alignCells(rows: readonly Cell[][]): (Cell | null)[][] {
  const columns = listColumns(rows)
  return rows.map((row) => alignRow(row, columns) ?? row)
}

/** The columns as the rows have them that have all; none where those rows stand in each other's way. */
function listColumns(rows: readonly Cell[][]): Column[] {
  const most = Math.max(0, ...rows.map((row) => row.length))
  const full = rows.filter((row) => row.length === most)
  // One row in the middle may be a line with wide gaps; a header is one row and the measure of the others.
  if (full.length === 1 && full[0] !== rows[0]) return []
  const columns: Column[] = []
  for (let index = 0; index < most; index++) {
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

function overlaps(cell: Cell, column: Column | undefined): boolean {
  return column !== undefined && cell.left < column.right && column.left < cell.right
}
