/** A cell of a table where it was drawn, y downwards. */
export type PlacedCell = { left: number; top: number; bottom: number; text: string }

/** Cells that a table has room for; more are made to deceive. */
const MAX_PLACES = 200_000
/** A longer text stands in the first of its rows alone. */
const MAX_REPEATED_CHARACTERS = 200

/** The rows of a table by the edges of its cells: a cell over several columns is in the first of them, one over several rows in each. */
export function layCells(cells: readonly PlacedCell[]): string[][] {
  const columns = listEdges(cells.map(({ left }) => left))
  const tops = listEdges(cells.map(({ top }) => top))
  const column = new Map(columns.map((left, index) => [left, index]))
  const row = new Map(tops.map((top, index) => [top, index]))
  const rows: string[][] = tops.map(() => [])
  if (columns.length * tops.length > MAX_PLACES) return [cells.map(({ text }) => text)]
  // From the lowest on: what a cell covers ends where another begins, so that no place is filled twice.
  for (const { left, top, bottom, text } of cells.toSorted((a, b) => b.top - a.top)) {
    const at = column.get(left) ?? 0
    const first = row.get(top) ?? 0
    const end = text.length > MAX_REPEATED_CHARACTERS ? first + 1 : rows.length
    for (let index = first; index < end; index += 1) {
      const texts = rows[index] ?? []
      if (index > first && (bottom <= (tops[index] ?? 0) || texts[at] !== undefined)) break
      texts[at] = text
    }
  }
  return rows.map((texts) => Array.from(texts, (text) => text ?? ''))
}

function listEdges(edges: readonly number[]): number[] {
  return [...new Set(edges)].sort((a, b) => a - b)
}
