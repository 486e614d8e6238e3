import type { Cell } from './cell.ts'

/** A head is in the middle of its columns, give or take this part of what lies between the middles of two: figures stand at the right of theirs. */
const SAME_MIDDLE = 0.25

/**
 * The rows of a table with `null` where a column has nothing in a row, so that what follows does not move into its place; nothing is put behind the last
 * cell of a row. A cell that stands over several columns, as the head of a group does, is in the first of them, also where it is in the middle between them.
 * Cells at one side of their column, whose head is at the other, are in it.
 * A row in which a cell stands under no column stays as it is, and so do all where the columns overlap.
 */
export function alignCells(rows: readonly Cell[][]): (Cell | null)[][] {
  const columns = widenColumns(listColumns(rows), rows)
  const heads = rows.findIndex((row) => row.length === columns.length)
  return rows.map((row, index) => (index < heads ? alignGroups(row, columns) : null) ?? alignRow(row, columns) ?? row)
}

/** A row above all columns whose cells stand in the middle of one or several of them each, and of all together; `null` for another. */
function alignGroups(row: readonly Cell[], columns: readonly Column[]): (Cell | null)[] | null {
  const aligned: (Cell | null)[] = []
  for (const cell of row) {
    const last = findLast(cell, columns, aligned.length)
    if (last < 0) return null
    const empty = last - aligned.length
    aligned.push(cell, ...new Array<null>(empty).fill(null))
  }
  return aligned.length === columns.length ? aligned.slice(0, aligned.findLastIndex((cell) => cell !== null) + 1) : null
}

/** The last of the columns from `first` on in whose middle a cell stands; the first where it stands over that alone; -1 where there are none. */
function findLast(cell: Cell, columns: readonly Column[], first: number): number {
  const over = columns.filter((column) => overlaps(cell, column))
  const begin = columns[first]
  if (begin === undefined) return -1
  for (let last = first + 1; last < columns.length; last += 1) {
    const [before, end] = [columns[last - 1], columns[last]]
    if (before === undefined || end === undefined) return -1
    const off = Math.abs(middleOf(cell) - middleOf({ left: begin.left, right: end.right }))
    if (off < SAME_MIDDLE * (middleOf(end) - middleOf(before))) return last
  }
  return over.length === 1 && over[0] === begin ? first : -1
}

function middleOf({ left, right }: Column): number {
  return (left + right) / 2
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

/** Where the cells of a column stand, from side to side. */
type Column = Pick<Cell, 'left' | 'right'>

/**
 * The columns with the cells that stand under none of them, as figures at the right of a column do whose head is at its left: a column below whose head nothing
 * stands is as wide as these. They are the columns as they were where it cannot be told whose those cells are.
 */
function widenColumns(columns: readonly Column[], rows: readonly Cell[][]): readonly Column[] {
  const cells = rows.filter((row) => row.length < columns.length).flat()
  const loose = joinOverlapping(cells.filter((cell) => columns.every((column) => !overlaps(cell, column))))
  if (loose.length === 0) return columns
  const free = columns.filter((column) => cells.every((cell) => !overlaps(cell, column)))
  const owners = loose.length === free.length ? free : loose.map((stripe) => findOwner(stripe, columns))
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

/** The column whose head is the next one at the left: words stand at the left of a column, and figures at its right. */
function findOwner(stripe: Column, columns: readonly Column[]): Column | undefined {
  return columns.findLast(({ right }) => right <= stripe.left)
}

/** What the cells of a column take together, from left to right. */
function joinOverlapping(cells: readonly Column[]): Column[] {
  const stripes: Column[] = []
  for (const { left, right } of [...cells].sort((a, b) => a.left - b.left)) {
    const last = stripes.at(-1)
    if (last !== undefined && left < last.right) last.right = Math.max(last.right, right)
    else stripes.push({ left, right })
  }
  return stripes
}

/** True where both stand over each other. */
function overlaps(cell: Column, column: Column | undefined): boolean {
  return column !== undefined && cell.left < column.right && column.left < cell.right
}
