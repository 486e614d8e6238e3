import type { Span } from '../chunking/split-text.ts'
import { ITEM_MARK } from '../markup.ts'
import { readSpeakerLine } from './dialogue-lines.ts'
import { areFiguresAboveLabels } from './label-lines.ts'

/**
 * End of a line that may continue: a word, number or bracket, with Markdown marks and quotation
 * marks.
 */
const CONTINUES = /[\p{L}\p{N},;()–\-`*_"”’»\]%]\s*$/u
const LOWER_CASE_LINE = /^[ \t]*[("'“„«[`*_]{0,3}\p{Ll}/u
/** A label with its value, as a part of a pattern: `Status: open` */
export const PAIR = String.raw`\p{L}[^\n:：]{0,30}(?:：|:\s)\s*\S`
/** Start of a separate line: list item, row, heading, quote, label. */
const STARTS_LINE = new RegExp(String.raw`^\s*(?:${ITEM_MARK}\s|[|#>]|\[[ x]\]|${PAIR})`, 'u')
/** Rows of cells with bars, gaps or tabs. */
const CELLS = / {3}|\t|\|/
/**
 * A word other than a name, number or code. In every language with capitals, German included, prose
 * has more such words than names.
 */
const PROSE_WORD = /^["'“„«(]?(?!\p{Lu})\p{L}[\p{L}\p{M}'’-]*(?:[,;.!?)"”»:][,;.!?)"'”»:]*)?$/u
const MIN_PROSE_SHARE = 1 / 3
const ENDS = /[.!?:;…]["'”’»)*_]{0,3}\s*$/u
const CONTINUED_COMMAND = /\s\\$/
/**
 * Minimum length of a full line with the next word, relative to the longest line; many texts are
 * wrapped by hand.
 */
const FULL = 0.85
/**
 * Shorter lines are verses or lists. The second of two lines is no evidence, so that the first has
 * to be longer.
 */
const MIN_CHARACTERS = { ofTwo: 60, ofMore: 45 }

/**
 * Finds line ends of wrapped text: before a lower-case word, and in paragraphs whose lines but the
 * last are too full for the next word. German nouns, names, numbers and `code` begin lines, too. A
 * figure alone continues in the label below. In fenced `code` only commands continue. The name of a
 * speaker is a line apart. Returns offsets of line ends. Linear in the length of the text.
 */
export function findWraps(text: string, code: readonly Span[]): Set<number> {
  const wraps = new Set<number>()
  const blocks = [...code]
  let lines: string[] = []
  let start = 0
  for (let at = 0; at <= text.length; ) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    const line = text.slice(at, end)
    while (blocks[0] !== undefined && blocks[0].end <= at) blocks.shift()
    const isCode = blocks[0] !== undefined && blocks[0].start <= at
    const isApart = line.trim() === '' || isCode || readSpeakerLine(line) !== null
    if (isCode && CONTINUED_COMMAND.test(line)) wraps.add(end)
    if (isApart || STARTS_LINE.test(line)) {
      addWraps(wraps, lines, start)
      lines = []
      start = at
    }
    if (isApart) start = end + 1
    else lines.push(line)
    at = end + 1
  }
  addWraps(wraps, lines, start)
  return wraps
}

/** True for a line of a paragraph: long enough, and with enough words that are no names. */
export function isProse(line: string): boolean {
  const words = line.trim().split(/\s+/)
  const isLong = line.length >= MIN_CHARACTERS.ofMore
  return isLong && words.filter((word) => PROSE_WORD.test(word)).length >= words.length * MIN_PROSE_SHARE
}

/** `lines` are consecutive and begin at `start`. */
function addWraps(wraps: Set<number>, lines: readonly string[], start: number): void {
  const first = findParagraph(lines)
  const hasFigures = areFiguresAboveLabels(lines)
  let at = start
  lines.forEach((line, index) => {
    at += line.length
    const next = lines[index + 1]
    const isContinued = next !== undefined && CONTINUES.test(line) && LOWER_CASE_LINE.test(next)
    if (next !== undefined && (index >= first || isContinued || (hasFigures && index % 2 === 0))) wraps.add(at)
    at += 1
  })
}

/**
 * Index of the first line of the paragraph, after its heading; `Infinity` if there is no paragraph.
 */
function findParagraph(lines: readonly string[]): number {
  if (areFull(lines)) return 0
  return areFull(lines.slice(1)) && !ENDS.test(lines[0] ?? '') ? 1 : Number.POSITIVE_INFINITY
}

function areFull(lines: readonly string[]): boolean {
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0)
  const least = lines.length > 2 ? MIN_CHARACTERS.ofMore : MIN_CHARACTERS.ofTwo
  if (lines.length < 2 || width < least || lines.some((line) => CELLS.test(line.trim()))) return false
  if (!isProse(lines.join(' '))) return false
  return lines.slice(0, -1).every((line, index) => {
    const word = /^\s*(\S+)/.exec(lines[index + 1] ?? '')?.[1] ?? ''
    const isFull = line.length >= least * FULL && line.length + 1 + word.length >= width * FULL
    return isFull || (index > 0 && ENDS.test(line))
  })
}
