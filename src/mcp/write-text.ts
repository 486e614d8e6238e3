/** How tools write for a model, and how much. */

/** Most characters of an answer, our choice: some 6,000 tokens of English, so that several calls fit into any model's context. */
export const MOST_CHARACTERS = 24_000
const TITLE_CHARACTERS = 200

type Place = { title: string; page: number | null; documentId: string; startOffset: number; endOffset: number }

/** A title or name on one line, and not longer than a line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS)}…` : line
}

/** Where a passage stands, with all that read_passage and a citation need. */
export function describePlace({ title, page, documentId, startOffset, endOffset }: Place, chunkId: string): string {
  const where = page === null ? '' : `, page ${page}`
  return `${oneLine(title)}${where} (${documentId}, chunk ${chunkId}, characters ${startOffset}-${endOffset})`
}

/** Warnings as lines at the end of an answer; nothing where there are none. */
export function warningLines(warnings: readonly string[]): string {
  return warnings.map((warning) => `\nNote: ${warning}`).join('')
}

/** As many of the items, from the first, as have together no more characters than {@link MOST_CHARACTERS}; at least one. */
export function takeFitting<Item>(items: readonly Item[], measure: (item: Item) => number): Item[] {
  let left = MOST_CHARACTERS
  const count = items.findIndex((item, index) => {
    left -= measure(item)
    return left < 0 && index > 0
  })
  return count === -1 ? [...items] : items.slice(0, count)
}

/** The text up to this length, whole characters only. */
export function cutText(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text
  // Half of a pair of surrogates is no character.
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(mostCharacters - 1))
  return text.slice(0, isSplit ? mostCharacters - 1 : mostCharacters)
}
