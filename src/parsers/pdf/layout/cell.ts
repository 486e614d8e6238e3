/**
 * A paragraph or table cell: stacked lines that belong together. `order`: file order of the first
 * line.
 */
export type Cell = { lines: Line[]; left: number; right: number; top: number; bottom: number; order: number }

/** A line of a cell. */
export type Line = { text: string; left: number; right: number; baseline: number; size: number; isBold: boolean }

/** True when two lines differ in weight or size. */
export function differsInStyle(a: Pick<Line, 'size' | 'isBold'>, b: Pick<Line, 'size' | 'isBold'>): boolean {
  return a.isBold !== b.isBold || Math.abs(a.size - b.size) > 0.1 * Math.max(a.size, b.size)
}

/** A bullet or list number without text, as in the first column of a list. */
export const BULLET = /^(?:[•◦▪▫■□●○‣⁃∙·➢✓✔–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/u

/**
 * A section number apart from its heading: `2`, `2.1`, `A.3`, `§ 4`. A number whose only dot is
 * trailing is a {@link BULLET}.
 */
export const SECTION_NUMBER = /^(?:§\s?\d{1,3}[a-z]?|(?:[A-Z]|[1-9]\d?)(?:(?:\.\d{1,2})+\.?)?)$/
