import type { Cell } from './cell.ts'
import { gapBetween } from './gap-between.ts'

/** What parts two tables is larger than what parts the rows of the lower one by this factor, and by this part of the font size. */
const LARGER_GAP = 1.5
const LARGER_SIZES = 0.5

/** The tables among rows that stand under each other, such as the head of an invoice and its items: below a gap another begins with the names of its columns. */
export function splitTables(rows: readonly Cell[][]): Cell[][][] {
  const tables: Cell[][][] = []
  for (const [index, row] of rows.entries()) {
    const [above, below] = [rows[index - 1], rows[index + 1]]
    const begins = above === undefined || (below !== undefined && beginsTable(above, row, below))
    if (begins) tables.push([row])
    else tables.at(-1)?.push(row)
  }
  return tables
}

function beginsTable(above: readonly Cell[], row: readonly Cell[], below: readonly Cell[]): boolean {
  const [gapAbove, gapBelow] = [gapBetween(above, row), gapBetween(row, below)]
  const size = row[0]?.lines[0]?.size ?? 0
  const isApart = gapAbove > LARGER_GAP * gapBelow && gapAbove - gapBelow > LARGER_SIZES * size
  const looksOther = row.length !== above.length || (isBold(row) && !isBold(above))
  return isApart && looksOther && names(row, below)
}

/** True where a row names the columns of the one below: it is bold and that is not, or has words and that has figures. */
function names(row: readonly Cell[], below: readonly Cell[]): boolean {
  return isBold(row) !== isBold(below) ? isBold(row) : !hasFigures(row) && hasFigures(below)
}

function isBold(row: readonly Cell[]): boolean {
  return row.every(({ lines }) => lines.every((line) => line.isBold))
}

function hasFigures(row: readonly Cell[]): boolean {
  return row.some(({ lines }) => lines.some(({ text }) => /\d/.test(text)))
}
