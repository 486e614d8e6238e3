import type { Box } from './placement.ts'

/** A drawn line of pixels: its row or column, start and end. A thick line consists of several. */
export type Rule = { line: number; from: number; to: number }

/** Location of a table, and the number of its cells. */
export type Table = { box: Box; cells: number }

/** A frame alone has two in each direction. */
const MIN_RULES = 3
/** A page has fewer rules. A pattern may have more, and is not a table. */
const MAX_RULES = 5000

/**
 * Finds tables: groups of crossing rules. Rules that end up to `reach` pixels before another touch
 * it.
 */
export function findTables(rules: { rows: readonly Rule[]; columns: readonly Rule[]; reach: number }): Table[] {
  if (Math.max(rules.rows.length, rules.columns.length) > MAX_RULES) return []
  const columns = new Set(mergeThick(rules.columns, rules.reach))
  const rows = new Set(mergeThick(rules.rows, rules.reach))
  const tables: Table[] = []
  for (const row of rows) {
    const table = takeConnected(row, { rows, columns, reach: rules.reach })
    if (table.rows.length < MIN_RULES || table.columns.length < MIN_RULES) continue
    const [tops, lefts] = [table.rows.map(({ line }) => line), table.columns.map(({ line }) => line)]
    const [top, left] = [Math.min(...tops), Math.min(...lefts)]
    const box: Box = [left, top, Math.max(...lefts) - left, Math.max(...tops) - top]
    tables.push({ box, cells: (table.rows.length - 1) * (table.columns.length - 1) })
  }
  return tables
}

/** Merges adjacent rules into one. */
function mergeThick(rules: readonly Rule[], reach: number): Rule[] {
  const merged: Rule[] = []
  for (const rule of rules) {
    const same = merged.findLast((one) => rule.line - one.line <= reach && rule.from < one.to && one.from < rule.to)
    if (same === undefined) merged.push({ ...rule })
    else Object.assign(same, { from: Math.min(same.from, rule.from), to: Math.max(same.to, rule.to) })
  }
  return merged
}

/** Removes from the sets the rules that cross a rule, the rules that cross those, and so on. */
function takeConnected(first: Rule, { rows, columns, reach }: { rows: Set<Rule>; columns: Set<Rule>; reach: number }) {
  const cross = (row: Rule, column: Rule) =>
    column.line >= row.from - reach &&
    column.line <= row.to + reach &&
    row.line >= column.from - reach &&
    row.line <= column.to + reach
  const taken = { rows: [first], columns: [] as Rule[] }
  rows.delete(first)
  for (const row of taken.rows) {
    for (const column of [...columns].filter((one) => cross(row, one))) {
      columns.delete(column)
      taken.columns.push(column)
      for (const other of [...rows].filter((one) => cross(one, column))) {
        rows.delete(other)
        taken.rows.push(other)
      }
    }
  }
  return taken
}
