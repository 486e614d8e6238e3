import type { Glyph } from '../page-glyphs.ts'
import { orderMixedLine } from './order-mixed-line.ts'
import { RIGHT_TO_LEFT } from './right-to-left.ts'
import { turnBrackets } from './turn-brackets.ts'

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
export function mendRightToLeft(glyphs: readonly Glyph[]): Glyph[] {
  if (!glyphs.some(isRightToLeft)) return [...glyphs]
  const isPage = runsRightToLeft(glyphs)
  const mended: Glyph[] = []
  let line: Glyph[] = []
  const close = () => {
    for (const glyph of line.some(isRightToLeft) ? mendLine(line, isPage) : line) mended.push(glyph)
    line = []
  }
  for (const glyph of turnLigatures(glyphs)) {
    line.push(glyph)
    if (glyph.text === '\n') close()
  }
  close()
  return mended
}

/** `isPage`: its page runs from right to left. */
function mendLine(line: readonly Glyph[], isPage: boolean): Glyph[] {
  return turnBrackets((isPage ? orderMixedLine(line) : null) ?? turnInsertions(line))
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
