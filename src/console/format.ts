const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** `1.8 MB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  const maximumFractionDigits = step === 0 || value >= 100 ? 0 : 1
  return `${value.toLocaleString(undefined, { maximumFractionDigits })} ${UNITS[step]}`
}

/** Formats an integer with the grouping of the reader's locale. */
export function formatCount(count: number): string {
  return count.toLocaleString()
}

/** `1 document`, `12 documents`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Formats the content of a memory: `2 documents · 12 passages`. */
export function formatContents(memory: { documentCount: number; chunkCount: number; correctionCount: number }): string {
  const { documentCount, chunkCount, correctionCount } = memory
  const counts = [pluralize(documentCount, 'document'), pluralize(chunkCount, 'passage')]
  if (correctionCount > 0) counts.push(pluralize(correctionCount, 'correction'))
  return counts.join(' · ')
}

/** Formats date and time, in the reader's time zone. */
export function formatTime(time: string | null): string {
  if (time === null) return '–'
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/**
 * Formats a date in UTC, because months and billing periods of the service start at midnight UTC.
 */
export function formatDay(time: string): string {
  return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** Formats the pages of a passage; `null` for a document without pages. */
export function formatPages({ page, pageEnd = page }: { page: number | null; pageEnd?: number | null }): string | null {
  if (page === null) return null
  return pageEnd === null || pageEnd === page ? `page ${page}` : `pages ${page} to ${pageEnd}`
}
