/** Lines that stand under each other and belong together: a paragraph, or a cell of a table. `order`: the place of its first line in the order of the file. */
export type Cell = { lines: Line[]; left: number; right: number; top: number; bottom: number; order: number }

/** A line of a cell. */
export type Line = { text: string; left: number; right: number; baseline: number; size: number; isBold: boolean }

/** True where one of two lines is bold, or larger than the other. */
export function looksOther(a: Pick<Line, 'size' | 'isBold'>, b: Pick<Line, 'size' | 'isBold'>): boolean {
  return a.isBold !== b.isBold || Math.abs(a.size - b.size) > 0.1 * Math.max(a.size, b.size)
}
