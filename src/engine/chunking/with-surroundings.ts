import type { Chunk } from './chunk.ts'

/**
 * The text of a chunk below what it stands under, which often says what it is about: the title, the section and the header of its table, each
 * once, since the section of most documents begins with their title. What is `null` or empty is left out.
 */
export function withSurroundings(
  { section, header, text }: Pick<Chunk, 'section' | 'header' | 'text'>,
  title: string | null,
): string {
  const above = title !== null && section?.startsWith(title) ? [section] : [title, section]
  return [...above, header, text].filter((part) => part !== null && part !== '').join('\n')
}
