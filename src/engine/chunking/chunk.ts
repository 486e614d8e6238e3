import { groupSentences } from './split-text.ts'

/**
 * A chunk of a document. `text` is the extracted text from `startOffset` to `endOffset` (UTF-16
 * code units).
 */
export type Chunk = {
  /** Never empty, trimmed. */
  text: string
  startOffset: number
  endOffset: number
  /** First and last page, slide or sheet, from 1; `null` if the document has none. */
  page: number | null
  pageEnd: number | null
  /** Headings above the chunk, outermost first, joined by ` > `; `null` if there are none. */
  section: string | null
  /** Header of the table, if an earlier chunk contains it. */
  header: string | null
}

/**
 * Splits a chunk into windows to embed: consecutive whole sentences up to `maxCharacters`, longer
 * sentences cut at word borders. In order, trimmed, none empty. White space has no windows.
 */
export function splitWindows(text: string, maxCharacters: number): string[] {
  return groupSentences(text, maxCharacters)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((window) => window !== '')
}

/**
 * Prefixes the chunk with its context, which often names the subject: title, section and table
 * header, each once, because most sections begin with the title. Skips `null` and empty parts.
 */
export function withHeadings(
  { section, header, text }: Pick<Chunk, 'section' | 'header' | 'text'>,
  title: string | null,
): string {
  const above = title !== null && section?.startsWith(title) ? [section] : [title, section]
  return [...above, header, text].filter((part) => part !== null && part !== '').join('\n')
}
