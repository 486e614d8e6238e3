/** A longer text is not a name. */
const MAX_NAME_CHARACTERS = 80

/**
 * True if two rows form a table header: the upper row names groups of columns, or columns unnamed
 * below (`Region,2023,,2024,` over `,Ships,Tons,Ships,Tons`). The lower row alone has duplicate or
 * missing names.
 */
export function areGroupHeader(upper: readonly string[], lower: readonly string[]): boolean {
  const columns = Math.max(upper.length, lower.length)
  const at = (row: readonly string[], column: number) => (row[column] ?? '').trim()
  const pairs = Array.from({ length: columns }, (_, column) => [at(upper, column), at(lower, column)] as const)
  if (columns < 3 || !pairs.every(([above, below]) => isName(above) && isName(below))) return false
  if (!pairs.some(([above, below]) => above === '' && below !== '')) return false
  if (!pairs.every(([above, below], column) => above !== '' || (column > 0 && below !== ''))) return false
  const names = pairs.map(([, below]) => below).filter((name) => name !== '')
  const isShort = names.length < columns || new Set(names).size < names.length
  return names.length > 1 && isShort && pairs.every(([above, below]) => above !== '' || below !== '')
}

/** An empty cell is allowed. */
function isName(cell: string): boolean {
  return cell === '' || (cell.length <= MAX_NAME_CHARACTERS && (isPeriod(cell) || /^[^\d]*\p{L}/u.test(cell)))
}

/** A year, month or day: in digits, or a month name with its year (`Jan-24`, `March 2024`). */
const PERIOD =
  /^(?:(?:19|20)\d\d(?:[-/]\d\d)?|\d{1,4}([-./])\d{1,2}\1\d{1,4}|\p{L}{3,10}\.?[ '\-/]{1,2}(?:(?:19|20)\d\d|\d\d))$/u

/** True for a text that is only a year, month or day, and may name a column of numbers. */
export function isPeriod(text: string): boolean {
  return PERIOD.test(text)
}
