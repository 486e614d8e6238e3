/** A calendar month in UTC: its name (`2026-11`), its first moment, and the first of the next one. */
export type Month = { key: string; start: string; end: string }

/** The month a moment lies in. */
export function monthOf(moment: Date): Month {
  const year = moment.getUTCFullYear()
  const month = moment.getUTCMonth()
  const start = new Date(Date.UTC(year, month, 1)).toISOString()
  return { key: start.slice(0, 7), start, end: new Date(Date.UTC(year, month + 1, 1)).toISOString() }
}
