/** What a search is narrowed to, as `find` takes it. */
export type Filter = { tags?: string[]; documentIds?: string[]; metadata?: Record<string, string | number | boolean> }

/** The fields of the filters as they are typed: tags and pairs of metadata separated by commas, a document's identifier. */
export type FilterFields = { tags: string; documentId: string; metadata: string }

/** What the fields of the filters say; empty ones narrow nothing. */
export function toFilter({ tags, documentId, metadata }: FilterFields): Filter {
  const wanted = listOf(tags)
  // Half a pair is one that is still being typed; a value may hold further signs.
  const pairs = listOf(metadata).map((pair) => /^(.+?)\s*=\s*(.+)$/.exec(pair))
  const whole = pairs.flatMap((pair) => (pair?.[1] && pair[2] ? [[pair[1], readValue(pair[2])] as const] : []))
  return {
    ...(wanted.length > 0 ? { tags: wanted } : {}),
    ...(documentId === '' ? {} : { documentIds: [documentId] }),
    ...(whole.length > 0 ? { metadata: Object.fromEntries(whole) } : {}),
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Metadata keeps numbers and truth values as such; quotes make a text of them. */
function readValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text.replace(/^"(.*)"$/, '$1')
}
