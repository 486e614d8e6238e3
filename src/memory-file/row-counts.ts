import type { Table } from '@lancedb/lancedb'

/** How long a count stands. A memory that doubles meanwhile has half of the partitions probed that it should, for so long. */
const FRESH_MS = 10_000

/** The rows of a table, as many as there were within the last seconds: counting them took as long as a tenth of a search. */
export type RowCounts = (table: Table) => Promise<number>

/** Counts rows, and remembers the counts for as long as the tables are used. */
export function createRowCounts(nowMs: () => number = () => performance.now()): RowCounts {
  const counted = new WeakMap<Table, { rows: number; untilMs: number }>()
  return async (table) => {
    const known = counted.get(table)
    if (known !== undefined && nowMs() < known.untilMs) return known.rows
    const rows = await table.countRows()
    counted.set(table, { rows, untilMs: nowMs() + FRESH_MS })
    return rows
  }
}
