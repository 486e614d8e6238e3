import type { Glyph } from '../glyph.ts'
import { orderBidiLine, orderLtrLine } from './order-bidi-line.ts'
import { RIGHT_TO_LEFT } from './span.ts'

/** First and last characters of left-to-right words. */
const WORD_CHARACTER = /[\p{L}\p{N}]/u
const LETTER = /\p{L}/u
/** Lam-alef, a ligature of every Arabic font. Its order says nothing about other ligatures. */
const LAM_ALEF = /^\u0644[\u0622\u0623\u0625\u0627]/
/** First and last of Unicode's Arabic ligatures. */
const [FIRST_LIGATURE, LAST_LIGATURE] = [0xfbea, 0xfdfb]
/** Glyphs further apart, in font sizes, are not words of the same line. */
const MAX_WORD_GAP_SIZES = 1.2
/** Minimum share of right-to-left characters on a right-to-left page. */
const MIN_RTL_SHARE = 0.4
/**
 * Minimum ratio of left-to-right letters in a left-to-right line that ends in a right-to-left word,
 * on a right-to-left page.
 */
const MIN_LTR_RATIO = 2

/**
 * Restores the reading order of right-to-left lines. PDFium reverses such lines, including the
 * letters of a ligature and embedded left-to-right text: `info@example.com` arrives as
 * `com.example@info`. Brackets are mirrored.
 */
export function fixRtlOrder(glyphs: readonly Glyph[]): Glyph[] {
  if (!glyphs.some(isRtlGlyph)) return [...glyphs]
  const isPage = isRtlPage(glyphs)
  return joinLineParts(splitLines(reverseLigatures(glyphs))).flatMap((line) =>
    line.some(isRtlGlyph) ? fixLine(line, isPage) : line,
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

/** A part of a line with the bounds of its letters. */
type LinePart = { glyphs: Glyph[]; left: number; right: number; baseline: number; size: number; isRightToLeft: boolean }

/** Rejoins lines that PDFium split where a word is left of the previous word. */
function joinLineParts(lines: readonly Glyph[][]): Glyph[][] {
  const joined: Glyph[][] = []
  let before: LinePart | null = null
  for (const glyphs of lines) {
    const part = toLinePart(glyphs)
    if (before === null || part === null || !isSameLine(before, part)) {
      before = part
      joined.push(glyphs)
      continue
    }
    // Gaps between glyphs mark the spaces as well.
    while (before.glyphs.at(-1)?.isGenerated === true) before.glyphs.pop()
    for (const glyph of glyphs) before.glyphs.push(glyph)
    before.left = Math.min(before.left, part.left)
    before.right = Math.max(before.right, part.right)
    before.isRightToLeft ||= part.isRightToLeft
  }
  return joined
}

/** `null` without letters: spaces and raised marks do not reveal the baseline. */
function toLinePart(glyphs: Glyph[]): LinePart | null {
  const letters = glyphs.filter(({ text }) => !/^[\s\p{M}]*$/u.test(text))
  const [first] = letters
  if (first === undefined) return null
  const left = letters.reduce((min, glyph) => Math.min(min, glyph.left), first.left)
  const right = letters.reduce((max, glyph) => Math.max(max, glyph.right), first.right)
  return { glyphs, left, right, baseline: first.baseline, size: first.size, isRightToLeft: glyphs.some(isRtlGlyph) }
}

function isSameLine(one: LinePart, next: LinePart): boolean {
  const gap = Math.max(one.left - next.right, next.left - one.right)
  return (
    (one.isRightToLeft || next.isRightToLeft) && one.baseline === next.baseline && gap <= MAX_WORD_GAP_SIZES * one.size
  )
}

/**
 * `isPage`: the line is on a right-to-left page. A line without left-to-right words is
 * right-to-left on any page.
 */
function fixLine(line: readonly Glyph[], isPage: boolean): Glyph[] {
  const leftToRight = isLeftToRight(line, isPage) ? orderLtrLine(line) : null
  if (leftToRight !== null)
    return fixBrackets(leftToRight).map((glyph, index) => (index === 0 ? glyph : { ...glyph, followsPrevious: true }))
  const isWhole = isPage || !line.some((glyph) => LETTER.test(glyph.text) && !isRtlGlyph(glyph))
  const ordered = isWhole ? orderBidiLine(line) : null
  if (ordered === null) return fixBrackets(fixLtrRuns(line))
  // The layout of a right-to-left page handles the direction.
  return fixBrackets(ordered).map((glyph, index) =>
    isPage || index === 0 ? glyph : { ...glyph, followsPrevious: true },
  )
}

/**
 * True for a line with phrases of right-to-left text. The letters at its ends and the more frequent
 * direction decide; on a right-to-left page, a doubtful line is right-to-left.
 */
function isLeftToRight(line: readonly Glyph[], isPage: boolean): boolean {
  const letters = line.filter(({ text }) => LETTER.test(text))
  const [first] = letters
  if (first === undefined) return false
  const leftmost = letters.reduce((end, glyph) => (glyph.left < end.left ? glyph : end), first)
  const rightmost = letters.reduce((end, glyph) => (glyph.left > end.left ? glyph : end), first)
  const rtl = letters.filter(isRtlGlyph).length
  const ltr = letters.length - rtl
  if (isRtlGlyph(leftmost)) return false
  if (isRtlGlyph(rightmost)) return ltr > (isPage ? MIN_LTR_RATIO : 1) * rtl
  return !isPage || ltr > rtl
}

/** True for a page with enough right-to-left letters. */
function isRtlPage(glyphs: readonly Glyph[]): boolean {
  const visible = glyphs.filter(({ text }) => text.trim() !== '')
  return visible.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > MIN_RTL_SHARE * visible.length
}

function isRtlGlyph({ text }: Glyph): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** Letters of each Arabic ligature of Unicode, in reading order. */
const LIGATURES: ReadonlySet<string> = new Set(
  Array.from({ length: LAST_LIGATURE - FIRST_LIGATURE + 1 }, (_, index) =>
    String.fromCharCode(FIRST_LIGATURE + index).normalize('NFKC'),
  ).filter((letters) => letters.length > 1),
)

/**
 * Restores the order of the letters of each ligature. PDFium reverses ligatures that the font maps
 * to several letters, and keeps those that the font maps to one ligature of Unicode. A ligature
 * that Unicode has in both orders follows the others of the page.
 */
function reverseLigatures(glyphs: readonly Glyph[]): Glyph[] {
  const shapes = listShapes(glyphs)
  const orders = shapes.map((shape) => getLigatureOrder(shape.map(({ text }) => text)))
  const count = (order: string) => orders.filter((other) => other === order).length
  const usual = count('kept') > count('reversed') ? 'kept' : 'reversed'
  return shapes.flatMap((shape, index) => {
    const text = shape.map((glyph) => glyph.text).join('')
    const order = orders[index] ?? usual
    return LAM_ALEF.test(text) || order === 'kept' ? shape : shape.toReversed()
  })
}

/** `null` for letters that reveal no order. */
function getLigatureOrder(letters: readonly string[]): 'kept' | 'reversed' | null {
  if (letters.length < 2) return null
  const isKept = LIGATURES.has(letters.join(''))
  const isReversed = LIGATURES.has(letters.toReversed().join(''))
  if (isKept === isReversed) return null
  return isKept ? 'kept' : 'reversed'
}

/** Groups the letters at the same position: the letters of a ligature. */
function listShapes(glyphs: readonly Glyph[]): Glyph[][] {
  const shapes: Glyph[][] = []
  let shape: Glyph[] = []
  const close = () => {
    if (shape.length > 0) shapes.push(shape)
    shape = []
  }
  for (const glyph of glyphs) {
    const [first] = shape
    const isSame = first !== undefined && first.left === glyph.left && first.baseline === glyph.baseline
    if (!isSame || !isRtlGlyph(glyph)) close()
    if (isRtlGlyph(glyph)) shape.push(glyph)
    else shapes.push([glyph])
  }
  close()
  return shapes
}

function fixLtrRuns(glyphs: readonly Glyph[]): Glyph[] {
  const fixed: Glyph[] = []
  for (let from = 0; from < glyphs.length; ) {
    const end = findLtrRunEnd(glyphs, from)
    const isBeside = [glyphs[from - 1], glyphs[end]].some((glyph) => glyph !== undefined && isRtlGlyph(glyph))
    const part = glyphs.slice(from, Math.max(end, from + 1))
    // No spread: a line may have more glyphs than the maximum argument count of a call.
    for (const glyph of isBeside ? fixLtrRun(part) : part) fixed.push(glyph)
    from += part.length
  }
  return fixed
}

/** Index of the next right-to-left letter or line end after `from`. */
function findLtrRunEnd(glyphs: readonly Glyph[], from: number): number {
  const baseline = glyphs[from]?.baseline
  let end = from
  while (end < glyphs.length) {
    const glyph = glyphs[end]
    if (glyph === undefined || isRtlGlyph(glyph) || glyph.text === '\n' || glyph.text === '\r') break
    if (!glyph.isGenerated && glyph.baseline !== baseline) break
    end += 1
  }
  return end
}

/** Parts without letters are numbers, which PDFium does not reverse. */
function fixLtrRun(part: readonly Glyph[]): readonly Glyph[] {
  const first = part.findIndex(({ text }) => WORD_CHARACTER.test(text))
  const last = part.findLastIndex(({ text }) => WORD_CHARACTER.test(text))
  const words = part.slice(Math.max(first, 0), last + 1)
  if (!words.some(({ text }) => LETTER.test(text))) return part
  const turned = words.toSorted((a, b) => a.left - b.left)
  const visible = turned.filter(({ text }) => text.trim() !== '')
  const isApart = visible.some(
    (glyph, index) => glyph.left - (visible[index - 1]?.right ?? glyph.left) > MAX_WORD_GAP_SIZES * glyph.size,
  )
  return isApart ? part : [...part.slice(0, first), ...turned, ...part.slice(last + 1)]
}

const BRACKET_PAIRS = ['()', '[]', '{}', '«»', '‹›'] as const
const OPENING = new Map(BRACKET_PAIRS.flatMap((pair) => [...pair].map((bracket) => [bracket, pair.charAt(0)] as const)))
const CLOSING = new Map(BRACKET_PAIRS.flatMap((pair) => [...pair].map((bracket) => [bracket, pair.charAt(1)] as const)))
/** Characters allowed between a bracket and its word. */
const QUOTE = /^["'“”„‘’״׳]$/
const SPACE = /^\s*$/
const STOP = /^[.,;:!?،؛؟]$/

/**
 * Fixes brackets of a right-to-left line in reading order: before a word they open, after a word
 * they close. Some files encode the drawn shape, others the meaning, and PDFium mirrors both. A
 * bracket between two words or alone is kept.
 */
function fixBrackets(line: readonly Glyph[]): Glyph[] {
  const isPassed = ({ text }: Glyph) => OPENING.has(text) || QUOTE.test(text)
  const before: string[] = []
  for (const index of line.keys()) {
    const previous = line[index - 1]
    before.push(previous === undefined ? '' : isPassed(previous) ? (before[index - 1] ?? '') : previous.text)
  }
  let after = ''
  return line
    .toReversed()
    .map((glyph, index) => {
      const next = after
      if (!isPassed(glyph)) after = glyph.text
      return fixBracket(glyph, before[line.length - 1 - index] ?? '', next)
    })
    .reverse()
}

/**
 * `before` and `after`: the adjacent characters, skipping quotation marks and other brackets; ''
 * at the line ends.
 */
function fixBracket(glyph: Glyph, before: string, after: string): Glyph {
  if (!OPENING.has(glyph.text)) return glyph
  const opens = SPACE.test(before) && !SPACE.test(after)
  const closes = !SPACE.test(before) && (SPACE.test(after) || STOP.test(after))
  if (opens === closes) return glyph
  return { ...glyph, text: (opens ? OPENING : CLOSING).get(glyph.text) ?? glyph.text }
}
