import type { Glyph } from '../glyph.ts'

/** A part of a line without wide gaps, written in sequence. Points, y upwards. */
export type Span = {
  text: string
  left: number
  right: number
  bottom: number
  top: number
  baseline: number
  size: number
  isBold: boolean
  /** Position in file order. */
  order: number
  /** Gaps between words, in text order. */
  gaps: Gap[]
  /** True for a separate cell, however close to the previous span. */
  startsCell: boolean
  letters: LetterWidths
}

/** Number of alphabetic letters, and the narrowest and widest letter. */
type LetterWidths = { count: number; min: number; max: number }

/**
 * A gap between two words. `at`: offset of the space in the text; `isWritten`: the file contains
 * the space.
 */
type Gap = { at: number; left: number; right: number; isWritten: boolean }

/** Maximum baseline distance of adjacent lines, in font sizes. */
export const MAX_LEADING_SIZES = 2.1
/** Ascent and descent in font sizes, typical of Latin fonts. */
const ASCENT = 0.75
const DESCENT = 0.25
/**
 * A wider gap, in font sizes, ends a span: after a new position, and after a written space
 * (justified lines).
 */
const MAX_JUMP_SIZES = 0.9
const MAX_SPACE_SIZES = 2.2
/** Maximum distance of letters in a word, in font sizes. */
const MAX_LETTER_GAP_SIZES = 0.08
/**
 * Glyphs further off the baseline, in font sizes, belong to another line; subscripts and
 * superscripts are within.
 */
const MAX_BASELINE_SIZES = 0.55

/** Scripts whose letters vary in width in most fonts. */
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/** Builds the spans of glyphs with the same rotation, in file order. Linear time. */
export function buildSpans(glyphs: readonly Glyph[]): Span[] {
  const spans: Span[] = []
  let parts: string[] = []
  let length = 0
  let open: Span | null = null
  let gap: 'none' | 'jump' | 'space' | 'line' = 'none'

  function close(): void {
    if (open !== null) spans.push({ ...open, text: parts.join('') })
    open = null
    parts = []
  }

  for (const glyph of glyphs) {
    const isSpace = glyph.text.trim() === ''
    if (isSpace) gap = nextGap(gap, glyph)
    if (isSpace || !isVisible(glyph)) continue
    if (gap === 'line' && open !== null && isAdjacent(open, glyph)) gap = 'none'
    if (open !== null && !continuesSpan(open, glyph, gap)) close()
    if (open === null) {
      open = startSpan(glyph, spans.length)
      length = 0
    } else if (gap !== 'none') {
      if (glyph.followsPrevious !== true)
        open.gaps.push({ at: length, ...getGapBounds(open, glyph), isWritten: gap === 'space' })
      parts.push(' ')
      length += 1
    }
    parts.push(glyph.text)
    length += glyph.text.length
    extendSpan(open, glyph)
    gap = 'none'
  }
  close()
  return spans
}

function nextGap(gap: 'none' | 'jump' | 'space' | 'line', { text, isGenerated }: Glyph) {
  if (text !== ' ' && isGenerated) return 'line'
  if (gap === 'line') return gap
  return isGenerated && gap !== 'space' ? 'jump' : 'space'
}

/** False for control codes and for PDFium's marker of an unknown character. */
function isVisible({ text }: Glyph): boolean {
  const code = text.charCodeAt(0)
  return code > 31 || code === 2
}

/**
 * True for a glyph directly after the previous glyph: PDFium mistakes a ligature after the first
 * letter of a heading for a new line.
 */
function isAdjacent({ right, baseline, size }: Span, glyph: Glyph): boolean {
  return (
    Math.abs(glyph.left - right) < MAX_LETTER_GAP_SIZES * size &&
    Math.abs(glyph.baseline - baseline) < MAX_LETTER_GAP_SIZES * size
  )
}

function startSpan(glyph: Glyph, order: number): Span {
  const { left, right, baseline, size, isBold } = glyph
  const letters = { count: 0, min: Number.POSITIVE_INFINITY, max: 0 }
  const [bottom, top] = [baseline - DESCENT * size, baseline + ASCENT * size]
  return { text: '', left, right, bottom, top, baseline, size, isBold, order, gaps: [], startsCell: false, letters }
}

function continuesSpan(span: Span, glyph: Glyph, gap: 'none' | 'jump' | 'space' | 'line'): boolean {
  const size = Math.max(span.size, glyph.size)
  if (Math.abs(glyph.baseline - span.baseline) > MAX_BASELINE_SIZES * size) return false
  if (glyph.followsPrevious === true) return true
  const ahead = glyph.left - span.right
  // Right-to-left text arrives in reading order: each glyph is left of the previous glyph.
  const distance = ahead < 0 && RIGHT_TO_LEFT.test(glyph.text) ? span.left - glyph.right : ahead
  if (distance < -1.5 * size) return false
  return distance <= (gap === 'space' ? MAX_SPACE_SIZES : MAX_JUMP_SIZES) * size
}

/** Bounds of a gap; right-to-left text continues at the left. */
function getGapBounds(span: Span, glyph: Glyph): { left: number; right: number } {
  return glyph.left < span.left ? { left: glyph.right, right: span.left } : { left: span.right, right: glyph.left }
}

function extendSpan(span: Span, { text, left, right, size, baseline, isBold }: Glyph): void {
  if (ALPHABETIC.test(text)) measureLetter(span.letters, right - left)
  span.left = Math.min(span.left, left)
  span.right = Math.max(span.right, right)
  // Larger glyphs define the line; smaller glyphs are subscripts or superscripts.
  if (size > span.size * 1.15)
    Object.assign(span, { size, baseline, bottom: baseline - DESCENT * size, top: baseline + ASCENT * size })
  span.isBold &&= isBold
}

function measureLetter(letters: LetterWidths, width: number): void {
  letters.count += 1
  letters.min = Math.min(letters.min, width)
  letters.max = Math.max(letters.max, width)
}

/** Appends a span to a line. */
export function appendSpan(line: Span, span: Span, separator: '' | ' '): void {
  const at = line.text.length
  if (separator !== '') line.gaps.push({ at, left: line.right, right: span.left, isWritten: false })
  for (const gap of span.gaps) line.gaps.push({ ...gap, at: gap.at + at + separator.length })
  line.text += separator + span.text
  line.right = Math.max(line.right, span.right)
  line.order = Math.min(line.order, span.order)
  line.isBold &&= span.isBold
  line.bottom = Math.min(line.bottom, span.bottom)
  line.top = Math.max(line.top, span.top)
  line.size = Math.max(line.size, span.size)
}

/** Letters of Hebrew, Arabic and related scripts. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Letters and punctuation of Chinese and Japanese, which have no spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff01-\uff0f\uff1a-\uff1f]/u
