import type { Glyph } from '../glyph.ts'
import { orderMixedLine } from './order-mixed-line.ts'
import { RIGHT_TO_LEFT } from './span.ts'

/** What stands at the ends of words of the other direction. */
const WORD = /[\p{L}\p{N}]/u
const LETTER = /\p{L}/u
/** Lam and alef, the ligature that every font has. */
const LAM_ALEF = /^\u0644[\u0622\u0623\u0625\u0627]/
/** Glyphs further apart than this, in font sizes, are no words of one line. */
const GAP_SIZES = 1.2
/** Share of the characters of a page from right to left. */
const PAGE_SHARE = 0.4

/**
 * Glyphs of lines from right to left as they are read. PDFium turns such lines round, and with them the letters of a ligature, which is one shape, and the
 * parts of what is written from left to right in them: `info@example.com` comes as `com.example@info`. Brackets are mirrored.
 */
export function fixRtlOrder(glyphs: readonly Glyph[]): Glyph[] {
  if (!glyphs.some(isRightToLeft)) return [...glyphs]
  const isPage = runsRightToLeft(glyphs)
  return joinParts(splitLines(turnLigatures(glyphs))).flatMap((line) =>
    line.some(isRightToLeft) ? mendLine(line, isPage) : line,
  )
}

function splitLines(glyphs: readonly Glyph[]): Glyph[][] {
  const lines: Glyph[][] = []
  let from = 0
  for (const [index, { text }] of glyphs.entries()) {
    if (text !== '\n') continue
    lines.push(glyphs.slice(from, index + 1))
    from = index + 1
  }
  return [...lines, glyphs.slice(from)]
}

/** A part of a line, and from where to where its letters stand. */
type Part = { glyphs: Glyph[]; left: number; right: number; baseline: number; size: number; isRightToLeft: boolean }

/** Lines of which PDFium made several, as soon as a word stood left of the one before it. */
function joinParts(lines: readonly Glyph[][]): Glyph[][] {
  const joined: Glyph[][] = []
  let before: Part | null = null
  for (const glyphs of lines) {
    const part = toPart(glyphs)
    if (before === null || part === null || !isBeside(before, part)) {
      before = part
      joined.push(glyphs)
      continue
    }
    // Spaces are seen by the gaps as well.
    while (before.glyphs.at(-1)?.isGenerated === true) before.glyphs.pop()
    for (const glyph of glyphs) before.glyphs.push(glyph)
    before.left = Math.min(before.left, part.left)
    before.right = Math.max(before.right, part.right)
    before.isRightToLeft ||= part.isRightToLeft
  }
  return joined
}

/** `null` where there is no letter: spaces, and marks, which stand higher or lower, tell nothing. */
function toPart(glyphs: Glyph[]): Part | null {
  const letters = glyphs.filter(({ text }) => !/^[\s\p{M}]*$/u.test(text))
  const [first] = letters
  if (first === undefined) return null
  const left = letters.reduce((least, glyph) => Math.min(least, glyph.left), first.left)
  const right = letters.reduce((most, glyph) => Math.max(most, glyph.right), first.right)
  return { glyphs, left, right, baseline: first.baseline, size: first.size, isRightToLeft: glyphs.some(isRightToLeft) }
}

function isBeside(one: Part, next: Part): boolean {
  const gap = Math.max(one.left - next.right, next.left - one.right)
  return (one.isRightToLeft || next.isRightToLeft) && one.baseline === next.baseline && gap <= GAP_SIZES * one.size
}

/** `isPage`: its page runs from right to left, as a line without words of the other direction does on any. */
function mendLine(line: readonly Glyph[], isPage: boolean): Glyph[] {
  const isWhole = isPage || !line.some((glyph) => LETTER.test(glyph.text) && !isRightToLeft(glyph))
  const ordered = isWhole ? orderMixedLine(line) : null
  if (ordered === null) return turnBrackets(turnInsertions(line))
  // A page that runs from right to left is laid out so itself.
  return turnBrackets(ordered).map((glyph, index) => (isPage || index === 0 ? glyph : { ...glyph, isOrdered: true }))
}

/** True where so many characters of a page are letters from right to left that it is one itself. */
function runsRightToLeft(glyphs: readonly Glyph[]): boolean {
  const inked = glyphs.filter(({ text }) => text.trim() !== '')
  return inked.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > PAGE_SHARE * inked.length
}

function isRightToLeft({ text }: Glyph): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** Letters that stand at one place are those of one shape. */
function turnLigatures(glyphs: readonly Glyph[]): Glyph[] {
  const mended: Glyph[] = []
  let shape: Glyph[] = []
  const close = () => {
    const text = shape.map((glyph) => glyph.text).join('')
    for (const glyph of LAM_ALEF.test(text) ? shape : shape.reverse()) mended.push(glyph)
    shape = []
  }
  for (const glyph of glyphs) {
    const [first] = shape
    const isSame = first !== undefined && first.left === glyph.left && first.baseline === glyph.baseline
    if (!isSame || !isRightToLeft(glyph)) close()
    if (isRightToLeft(glyph)) shape.push(glyph)
    else mended.push(glyph)
  }
  close()
  return mended
}

function turnInsertions(glyphs: readonly Glyph[]): Glyph[] {
  const mended: Glyph[] = []
  for (let from = 0; from < glyphs.length; ) {
    const end = endOfInsertion(glyphs, from)
    const isBeside = [glyphs[from - 1], glyphs[end]].some((glyph) => glyph !== undefined && isRightToLeft(glyph))
    const part = glyphs.slice(from, Math.max(end, from + 1))
    // No spread: a line may have more characters than a call has arguments.
    for (const glyph of isBeside ? turnInsertion(part) : part) mended.push(glyph)
    from += part.length
  }
  return mended
}

/** The first place behind `from` that has a letter from right to left or stands in another line. */
function endOfInsertion(glyphs: readonly Glyph[], from: number): number {
  const baseline = glyphs[from]?.baseline
  let end = from
  while (end < glyphs.length) {
    const glyph = glyphs[end]
    if (glyph === undefined || isRightToLeft(glyph) || glyph.text === '\n' || glyph.text === '\r') break
    if (!glyph.isGenerated && glyph.baseline !== baseline) break
    end += 1
  }
  return end
}

/** What has no letters are numbers, which PDFium leaves as they are. */
function turnInsertion(part: readonly Glyph[]): readonly Glyph[] {
  const first = part.findIndex(({ text }) => WORD.test(text))
  const last = part.findLastIndex(({ text }) => WORD.test(text))
  const words = part.slice(Math.max(first, 0), last + 1)
  if (!words.some(({ text }) => LETTER.test(text))) return part
  const turned = words.toSorted((a, b) => a.left - b.left)
  const inked = turned.filter(({ text }) => text.trim() !== '')
  const isApart = inked.some(
    (glyph, index) => glyph.left - (inked[index - 1]?.right ?? glyph.left) > GAP_SIZES * glyph.size,
  )
  return isApart ? part : [...part.slice(0, first), ...turned, ...part.slice(last + 1)]
}

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
function turnBrackets(line: readonly Glyph[]): Glyph[] {
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
