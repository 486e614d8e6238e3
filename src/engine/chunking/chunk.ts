import { groupSentences } from './split-text.ts'

/**
 * A passage of a document; `text` is exactly the extracted text from `startOffset` to `endOffset`
 * (UTF-16 code units).
 */
export type Chunk = {
  /** Never empty, no white space at either end. */
  text: string
  startOffset: number
  endOffset: number
  /**
   * First and last page, slide or sheet it stands on, from 1; `null` where the document has none.
   */
  page: number | null
  pageEnd: number | null
  /** The headings above it, outermost first, joined by ` > `; `null` where there are none. */
  section: string | null
  /** The header of the table its rows belong to, where that header stands in an earlier chunk. */
  header: string | null
}

/**
 * The windows of a chunk that are embedded on their own: whole sentences together up to
 * `maxCharacters`, longer ones cut at word borders. In order, trimmed, none empty; a text of white
 * space has none.
 */
export function splitWindows(text: string, maxCharacters: number): string[] {
  return groupSentences(text, maxCharacters)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((window) => window !== '')
}

/**
 * The text of a chunk below what it stands under, which often says what it is about: the title, the
 * section and the header of its table, each once, since the section of most documents begins with
 * their title. What is `null` or empty is left out.
 */
export function withSurroundings(
  { section, header, text }: Pick<Chunk, 'section' | 'header' | 'text'>,
  title: string | null,
): string {
  const above = title !== null && section?.startsWith(title) ? [section] : [title, section]
  return [...above, header, text].filter((part) => part !== null && part !== '').join('\n')
}
