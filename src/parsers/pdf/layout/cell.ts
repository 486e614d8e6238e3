/** Lines that stand under each other and belong together: a paragraph, or a cell of a table. `order`: the place of its first line in the order of the file. */
export type Cell = { lines: Line[]; left: number; right: number; top: number; bottom: number; order: number }

/** A line of a cell. */
export type Line = { text: string; left: number; right: number; baseline: number; size: number; isBold: boolean }

/** True where one of two lines is bold, or larger than the other. */
export function looksOther(a: Pick<Line, 'size' | 'isBold'>, b: Pick<Line, 'size' | 'isBold'>): boolean {
  return a.isBold !== b.isBold || Math.abs(a.size - b.size) > 0.1 * Math.max(a.size, b.size)
}

/** A bullet or number that stands alone, as in the first column of a list. */
export const BULLET = /^(?:[•◦▪▫■□●○‣⁃∙·➢✓✔–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/u

/** The number of a section, as it stands apart before its heading: `2`, `2.1`, `A.3`, `§ 4`. One that ends with a dot and has no other is a {@link BULLET}. */
export const SECTION_NUMBER = /^(?:§\s?\d{1,3}[a-z]?|(?:[A-Z]|[1-9]\d?)(?:(?:\.\d{1,2})+\.?)?)$/
