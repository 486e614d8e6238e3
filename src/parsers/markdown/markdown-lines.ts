/** What single lines of Markdown are (CommonMark 0.31, and the tables of GitHub's). All take a line with or without its end. */

/** Longer lines and paragraphs are no headings, whatever stands before or under them. */
export const MAX_HEADING_CHARACTERS = 300

/** Level and words of an ATX heading (`## Storage ##`); `null` for any other line. */
export function getAtxHeading(line: string): { level: number; heading: string } | null {
  const found = line.length > MAX_HEADING_CHARACTERS ? null : /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line.trimEnd())
  if (found === null) return null
  const heading = (found[2] ?? '').replace(/(?<![^ \t])#+$/, '')
  return { level: found[1]?.length ?? 1, heading: stripInlineMarks(heading) }
}

/** Level and words of a heading in HTML on a line of its own, as at the top of many read-me files (`<h1 align="center">Store</h1>`). */
export function getHtmlHeading(line: string): { level: number; heading: string } | null {
  if (line.length > MAX_HEADING_CHARACTERS) return null
  const found = /^ {0,3}<h([1-6])(?:\s[^<>]*)?>(.*)<\/h\1\s*>$/i.exec(line.trimEnd())
  const heading = stripInlineMarks(found?.[2] ?? '')
  return heading === '' ? null : { level: Number(found?.[1]), heading }
}

/** The words of a heading without the marks of emphasis, code, links, images and attributes around them. */
export function stripInlineMarks(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/\{[#.][^{}]*\}$/, '')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/(?<!\\)(?:[*`]+|~~+)|(?<![\w\\])_+|(?<!\\)_+(?!\w)/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()
}

/** 1 for a line of `===`, 2 for one of `---`; `null` for any other. */
export function getSetextLevel(line: string): number | null {
  const mark = /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1]
  if (mark === undefined) return null
  return mark.startsWith('=') ? 1 : 2
}

/** The fence that opens a block of code (its mark, at least three of it), `null` for any other line. */
export function getFence(line: string): string | null {
  const found = /^\s{0,12}(`{3,}|~{3,})(.*)$/.exec(line.trimEnd())
  if (found === null || (found[1]?.startsWith('`') && found[2]?.includes('`'))) return null
  return found[1] ?? null
}

/** True when the line closes a block of code that `fence` opened. */
export function closesFence(line: string, fence: string): boolean {
  const mark = line.trim()
  return mark.length >= fence.length && mark === (fence[0] ?? '').repeat(mark.length)
}

/** True for a bullet or a number that begins a list item; inside a paragraph only where CommonMark allows it to interrupt. */
export function isItemStart(line: string, isInParagraph: boolean): boolean {
  const found = /^\s{0,20}(?:[-*+]|(\d{1,9})[.)])(?:[ \t]+\S|[ \t]*$)/.exec(line.trimEnd())
  if (found === null || isRule(line)) return false
  return !isInParagraph || (/\S[ \t]+\S/.test(line) && (found[1] === undefined || Number(found[1]) === 1))
}

/** True for a line that draws a rule (`---`, `* * *`). */
export function isRule(line: string): boolean {
  return /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line.trimEnd())
}

/** True when `row` is the delimiter row (`|---|:--:|`) of a table whose header is `header`. */
export function isDelimiterRow(row: string, header: string): boolean {
  if (!/^\|?\s*:?-+:?(?:\s*\|\s*:?-+:?)*\s*\|?$/.test(row.trim())) return false
  return header.includes('|') && countCells(row) === countCells(header)
}

function countCells(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).length
}
