import type { Cell } from './cell.ts'

/** Where the cells of a column stand, from side to side. */
export type Column = Pick<Cell, 'left' | 'right'>

/**
 * The columns with the cells that stand under none of them, as figures at the right of a column do whose head is at its left: a column below whose head nothing
 * stands is as wide as these. They are the columns as they were where it cannot be told whose those cells are.
 */
export function widenColumns(columns: readonly Column[], rows: readonly Cell[][]): readonly Column[] {
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
export function overlaps(cell: Column, column: Column | undefined): boolean {
  return column !== undefined && cell.left < column.right && column.left < cell.right
}
