import type { Glyph } from '../glyph.ts'

const PAIRS = ['()', '[]', '{}', '«»', '‹›'] as const
const OPENING = new Map(PAIRS.flatMap((pair) => [...pair].map((bracket) => [bracket, pair.charAt(0)] as const)))
const CLOSING = new Map(PAIRS.flatMap((pair) => [...pair].map((bracket) => [bracket, pair.charAt(1)] as const)))
/** What stands between a bracket and the word it belongs to. */
const QUOTE = /^["'“”„‘’״׳]$/
const SPACE = /^\s*$/
const STOP = /^[.,;:!?،؛؟]$/

/**
 * Brackets of a line that runs from right to left, in the order it is read: one before a word opens, one behind a word closes. Some files say which shape
 * is drawn, others what is meant, and PDFium turns both round. One between two words, or alone, stays as it comes.
 */
export function turnBrackets(line: readonly Glyph[]): Glyph[] {
  const isPassed = ({ text }: Glyph) => OPENING.has(text) || QUOTE.test(text)
  const before: string[] = []
  for (const index of line.keys()) {
    const previous = line[index - 1]
    before.push(previous === undefined ? '' : isPassed(previous) ? (before[index - 1] ?? '') : previous.text)
  }
  let behind = ''
  return line
    .toReversed()
    .map((glyph, index) => {
      const next = behind
      if (!isPassed(glyph)) behind = glyph.text
      return turn(glyph, before[line.length - 1 - index] ?? '', next)
    })
    .reverse()
}

/** `before` and `behind` are the characters beside it, quotation marks and other brackets left out; '' at an end of the line. */
function turn(glyph: Glyph, before: string, behind: string): Glyph {
  if (!OPENING.has(glyph.text)) return glyph
  const opens = SPACE.test(before) && !SPACE.test(behind)
  const closes = !SPACE.test(before) && (SPACE.test(behind) || STOP.test(behind))
  if (opens === closes) return glyph
  return { ...glyph, text: (opens ? OPENING : CLOSING).get(glyph.text) ?? glyph.text }
}
