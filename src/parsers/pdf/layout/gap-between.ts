import type { Cell } from './cell.ts'

/** What parts a row from the one below it, in points; less than 0 where they overlap. */
export function gapBetween(above: readonly Cell[], below: readonly Cell[]): number {
  const bottom = above.reduce((least, cell) => Math.min(least, cell.bottom), Number.POSITIVE_INFINITY)
  return bottom - below.reduce((most, { top }) => Math.max(most, top), Number.NEGATIVE_INFINITY)
}
