import type { Span } from '../chunking/split-text.ts'

/** The fences of Markdown, with the language that an opening one may name; `code` in three backticks within a line is none. */
const FENCE = /^[ \t]*(?:`{3,}(?=[^`\n]*$)|~{3,})[ \t]*(\S*).*$/gm

/** The fenced code of a passage, fences and all, in order. A passage may begin or end within. Linear in the length of the text. */
export function findCode(text: string): Span[] {
  const fences = [...text.matchAll(FENCE)]
  const [first, second] = fences
  const isOpenedBefore =
    first?.[1] === '' && first.index > 0 && (second === undefined || second[1] !== '' || fences.length % 2 === 1)
  const spans: Span[] = []
  let opened = isOpenedBefore ? 0 : null
  for (const { 0: line, 1: language, index } of fences) {
    if (opened !== null && language === '') {
      spans.push({ start: opened, end: index + line.length })
      opened = null
    } else opened ??= index
  }
  if (opened !== null) spans.push({ start: opened, end: text.length })
  return spans
}
