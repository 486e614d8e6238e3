import { areGroupHeader, isPeriod } from '../../group-header.ts'
import { looksLikeHeader } from '../office-block.ts'
import type { SheetRow } from './sheet-handler.ts'

/** A longer text is no name. */
const MAX_NAME_CHARACTERS = 80
/** A header that is wider is one row. */
const MAX_GROUPED_COLUMNS = 500

/** True for a row of nothing but names. */
export function isNames({ cells }: SheetRow): boolean {
  return cells.every(({ isText }) => isText) && looksLikeHeader(cells.map(({ text }) => text))
}

/** True for a row of years, months or days, at least two and no two the same, with or without names beside them. */
export function isPeriods({ cells }: SheetRow): boolean {
  const values = cells.filter(({ isText }) => !isText).map(({ text }) => text)
  const names = cells.filter(({ isText }) => isText)
  if (values.length < 2 || !values.every(isPeriod) || new Set(values).size < values.length) return false
  return names.every(({ text }) => text.length <= MAX_NAME_CHARACTERS && /\p{L}/u.test(text))
}

/** True for a row that may name groups of columns: of words, years and days, more than one. */
export function mayNameGroups({ cells }: SheetRow): boolean {
  return cells.length > 1 && cells.every(({ isText, text }) => isText || isPeriod(text))
}

/** True where the second row names the columns of the groups that the first one names. */
export function areGroups(upper: SheetRow, lower: SheetRow): boolean {
  const from = Math.min(upper.cells[0]?.column ?? 1, lower.cells[0]?.column ?? 1)
  const to = Math.max(upper.cells.at(-1)?.column ?? 1, lower.cells.at(-1)?.column ?? 1)
  if (to - from > MAX_GROUPED_COLUMNS) return false
  const textsOf = ({ cells }: SheetRow) => {
    const texts = new Map(cells.map(({ column, text }) => [column, text]))
    return Array.from({ length: to - from + 1 }, (_, index) => texts.get(from + index) ?? '')
  }
  return areGroupHeader(textsOf(upper), textsOf(lower))
}

/**
 * The header among rows that were held as what may be one; none where none is. `next` is the row below them in their table, `null` where there is
 * none: one of values says that the names right above it are its header, two rows where the upper one names groups. The sheet's first table has one also
 * where all its values are words.
 */
export function findHeader(
  held: readonly SheetRow[],
  next: SheetRow | null,
  isFirstTable: boolean,
): readonly SheetRow[] {
  const [first, second] = held
  if (first === undefined) return []
  if (second === undefined && isPeriods(first)) return namesFigures(first, next) ? held : []
  if (second === undefined && !isNames(first)) return []
  if (next?.cells.some(({ isText }) => !isText))
    return second === undefined || areGroups(first, second) ? held : [second]
  return isFirstTable && isNames(first) && (next !== null || second !== undefined) ? [first] : []
}

/** True where a row of periods names the columns of figures: none in the row below it is a period, and something says what they are of. */
function namesFigures(header: SheetRow, next: SheetRow | null): boolean {
  if (next === null) return false
  const columns = new Set(header.cells.filter(({ isText }) => !isText).map(({ column }) => column))
  const figures = next.cells.filter(({ column }) => columns.has(column))
  const [first] = next.cells
  const isLabelled = first?.isText === true && !columns.has(first.column)
  if (!isLabelled && !header.cells.some(({ isText }) => isText)) return false
  // The title of a group of rows has no figures.
  if (figures.length === 0) return true
  return (
    figures.every(({ isText }) => !isText) && figures.filter(({ text }) => isPeriod(text)).length * 2 < figures.length
  )
}
