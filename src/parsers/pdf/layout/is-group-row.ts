import type { Cell } from './cell.ts'
import { gapBetween } from './gap-between.ts'

/** Tables of fewer columns are labels and values, whose groups have headings. */
const LEAST_COLUMNS = 3
/** The rows of a group may be indented by so many font sizes. */
const INDENT_SIZES = 3
/** What parts a row from its neighbours is as large as elsewhere in the table, give or take this part of the font size. */
const SAME_GAP_SIZES = 0.5

/**
 * True for a line that names the rows below it and stands in the first column of their table, as `Assets` does in a balance sheet: it is a row of that table and
 * does not end it. `table`: the rows above; `below`: those that follow.
 */
export function isGroupRow(
  [cell, ...others]: readonly Cell[],
  table: readonly Cell[][],
  below: readonly Cell[][],
): boolean {
  const above = table.at(-1)
  const next = below.find((row) => row.length > 1)
  if (cell === undefined || above === undefined || next === undefined || others.length > 0) return false
  if (cell.lines.length > 1 || next.length < LEAST_COLUMNS) return false
  return standsInFirst(cell, next) && isSpacedAlike(cell, table.slice(-2), below)
}

function standsInFirst(cell: Cell, [first, second]: readonly Cell[]): boolean {
  if (first === undefined || second === undefined || cell.right > second.left) return false
  const size = cell.lines[0]?.size ?? 0
  return Math.abs(first.left - cell.left) < INDENT_SIZES * size
}

function isSpacedAlike(cell: Cell, above: readonly (readonly Cell[])[], below: readonly (readonly Cell[])[]): boolean {
  const usual = Math.min(...listGaps(above), ...listGaps(below)) + SAME_GAP_SIZES * (cell.lines[0]?.size ?? 0)
  return listGaps([...above.slice(-1), [cell], ...below.slice(0, 1)]).every((gap) => gap <= usual)
}

/** What parts each row from the next one. */
function listGaps(rows: readonly (readonly Cell[])[]): number[] {
  return rows.slice(1).map((row, index) => gapBetween(rows[index] ?? [], row))
}
