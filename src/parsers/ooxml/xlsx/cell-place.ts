/** Row and column of a cell, both from 1. */
export type CellPlace = { row: number; column: number }

/** A block of cells, both corners in it. */
export type CellRange = { from: CellPlace; to: CellPlace }

/** The place a reference names (`B12`, `$B$12`); `null` when it is none. */
export function parseCellPlace(reference: string): CellPlace | null {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? []
  if (letters === undefined || digits === undefined) return null
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { row: Number(digits), column }
}

/** The range a reference names (`A1:C9`, or one cell); `null` when it is none. */
export function parseCellRange(reference: string): CellRange | null {
  const [first = '', last = first] = reference.split(':')
  const from = parseCellPlace(first)
  const to = parseCellPlace(last)
  return from === null || to === null ? null : { from, to }
}
