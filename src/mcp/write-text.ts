/** Formats tool results as text for a model, within a size limit. */

/**
 * About 6,000 tokens of English, so that several results fit in the context of any model. Our
 * choice.
 */
export const MAX_ANSWER_CHARACTERS = 24_000
const MAX_TITLE_CHARACTERS = 200

type Place = { title: string; page: number | null; documentId: string; startOffset: number; endOffset: number }

/** Collapses whitespace and truncates a title or name to one line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_TITLE_CHARACTERS ? `${line.slice(0, MAX_TITLE_CHARACTERS)}…` : line
}

/** Formats the source of a passage, with the arguments for read_passage. */
export function formatPlace({ title, page, documentId, startOffset, endOffset }: Place, chunkId: string): string {
  const where = page === null ? '' : `, page ${page}`
  return `${oneLine(title)}${where} (${documentId}, chunk ${chunkId}, characters ${startOffset}-${endOffset})`
}

/** Formats warnings as lines at the end of a result. */
export function formatWarnings(warnings: readonly string[]): string {
  return warnings.map((warning) => `\nNote: ${warning}`).join('')
}

/**
 * Returns the first items that together fit in {@link MAX_ANSWER_CHARACTERS}; at least one item.
 */
export function takeFitting<Item>(items: readonly Item[], measure: (item: Item) => number): Item[] {
  let left = MAX_ANSWER_CHARACTERS
  const count = items.findIndex((item, index) => {
    left -= measure(item)
    return left < 0 && index > 0
  })
  return count === -1 ? [...items] : items.slice(0, count)
}

/** Truncates a text without splitting a surrogate pair. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(maxCharacters - 1))
  return text.slice(0, isSplit ? maxCharacters - 1 : maxCharacters)
}
