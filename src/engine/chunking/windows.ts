import { groupSentences } from './split-text.ts'

/**
 * The windows of a chunk that are embedded on their own: whole sentences together up to `maxCharacters`, longer ones
 * cut at word borders. In order, trimmed, none empty; a text of white space has none.
 */
export function splitWindows(text: string, maxCharacters: number): string[] {
  return groupSentences(text, maxCharacters)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((window) => window !== '')
}
