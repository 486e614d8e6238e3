/** Filter of a search, as `find` expects it. */
export type Filter = { tags?: string[]; documentIds?: string[]; metadata?: Record<string, string | number | boolean> }

/** Input of the filter fields: comma-separated tags and metadata pairs, and a document ID. */
export type FilterFields = { tags: string; documentId: string; metadata: string }

/** Converts the filter fields. Empty fields do not filter. */
export function toFilter({ tags, documentId, metadata }: FilterFields): Filter {
  const wanted = splitList(tags)
  // Half a pair is still being typed. A value may contain further equal signs.
  const pairs = splitList(metadata).map((pair) => /^(.+?)\s*=\s*(.+)$/.exec(pair))
  const whole = pairs.flatMap((pair) => (pair?.[1] && pair[2] ? [[pair[1], readValue(pair[2])] as const] : []))
  return {
    ...(wanted.length > 0 ? { tags: wanted } : {}),
    ...(documentId === '' ? {} : { documentIds: [documentId] }),
    ...(whole.length > 0 ? { metadata: Object.fromEntries(whole) } : {}),
  }
}

/** Splits a list of a field at its commas. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Metadata keeps numbers and booleans. Quotes make a value a string. */
export function readValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text.replace(/^"(.*)"$/, '$1')
}
