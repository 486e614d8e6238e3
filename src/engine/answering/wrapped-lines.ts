import type { Span } from '../chunking/split-text.ts'
import { ITEM_MARK } from '../markup.ts'

/**
 * What goes on in the next line: a word, a number, a bracket, and the marks of Markdown and of
 * quotes around them.
 */
const CONTINUES = /[\p{L}\p{N},;()–\-`*_"”’»\]%]\s*$/u
const LOWER_CASE_LINE = /^[ \t]*[("'“„«[`*_]{0,3}\p{Ll}/u
/** A label with its value, as part of a pattern: `Status: open` */
export const PAIR = String.raw`\p{L}[^\n:：]{0,30}(?:：|:\s)\s*\S`
/** What begins a line of its own: list items, rows, headings, quotes, labels. */
const BEGINS_ANEW = new RegExp(String.raw`^\s*(?:${ITEM_MARK}\s|[|#>]|\[[ x]\]|${PAIR})`, 'u')
/** Rows: cells beside bars, gaps or tabs. */
const CELLS = / {3}|\t|\|/
/**
 * A word of prose is no name, number or code. Names are rarer than that in every language with
 * capitals, German with its nouns as well.
 */
const PROSE_WORD = /^["'“„«(]?(?!\p{Lu})\p{L}[\p{L}\p{M}'’-]*(?:[,;.!?)"”»:][,;.!?)"'”»:]*)?$/u
const LEAST_PROSE_WORDS = 1 / 3
const ENDS = /[.!?:;…]["'”’»)*_]{0,3}\s*$/u
const CONTINUED_COMMAND = /\s\\$/
/**
 * How much of the longest line a full one fills at least, with the word behind it: many wrap by
 * hand.
 */
const FULL = 0.85
/**
 * Shorter lines are verses, or things that stand one below the other. Of two lines the second tells
 * nothing, so the first has to be longer.
 */
const LEAST_CHARACTERS = { ofTwo: 60, ofMore: 45 }

/**
 * Where the lines of a text end that are merely wrapped: at a word that goes on with a small
 * letter, and in paragraphs of which every line but the last is too full for the first word of the
 * next. German nouns, names, numbers and `code` begin lines, too. Of fenced `code` only commands go
 * on. Offsets of the line ends. Linear in the length of the text.
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
    const isApart = line.trim() === '' || isCode
    if (isCode && CONTINUED_COMMAND.test(line)) wraps.add(end)
    if (isApart || BEGINS_ANEW.test(line)) {
      noteWraps(wraps, lines, start)
      lines = []
      start = at
    }
    if (isApart) start = end + 1
    else lines.push(line)
    at = end + 1
  }
  noteWraps(wraps, lines, start)
  return wraps
}

/**
 * True for a line of a paragraph, and for one that holds a whole one: mostly words that are no
 * names, and enough of them.
 */
export function isProse(line: string): boolean {
  const words = line.trim().split(/\s+/)
  const isLong = line.length >= LEAST_CHARACTERS.ofMore
  return isLong && words.filter((word) => PROSE_WORD.test(word)).length >= words.length * LEAST_PROSE_WORDS
}

/** `lines` begin at `start`, one behind the other. */
function noteWraps(wraps: Set<number>, lines: readonly string[], start: number): void {
  const first = findParagraph(lines)
  let at = start
  lines.forEach((line, index) => {
    at += line.length
    const next = lines[index + 1]
    if (next !== undefined && (index >= first || (CONTINUES.test(line) && LOWER_CASE_LINE.test(next)))) wraps.add(at)
    at += 1
  })
}

/**
 * The first of the lines that make a paragraph, behind its heading; `Infinity` where they make
 * none.
 */
function findParagraph(lines: readonly string[]): number {
  if (areFull(lines)) return 0
  return areFull(lines.slice(1)) && !ENDS.test(lines[0] ?? '') ? 1 : Number.POSITIVE_INFINITY
}

function areFull(lines: readonly string[]): boolean {
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0)
  const least = lines.length > 2 ? LEAST_CHARACTERS.ofMore : LEAST_CHARACTERS.ofTwo
  if (lines.length < 2 || width < least || lines.some((line) => CELLS.test(line.trim()))) return false
  if (!isProse(lines.join(' '))) return false
  return lines.slice(0, -1).every((line, index) => {
    const word = /^\s*(\S+)/.exec(lines[index + 1] ?? '')?.[1] ?? ''
    const isFull = line.length >= least * FULL && line.length + 1 + word.length >= width * FULL
    return isFull || (index > 0 && ENDS.test(line))
  })
}
