import type { Glyph } from '../glyph.ts'

/** The gap between two letters of a line, in font sizes, and the spaces between them. */
type LetterGap = { width: number; space: 'none' | 'generated' | 'written'; from: number; to: number; letter: Glyph }

/** Minimum gap of spaced letters, in font sizes. Kerning and rounding stay below. */
const MIN_LETTER_SPACING_SIZES = 0.1
/** Maximum gap of spaced letters, in font sizes. A space of a monospaced font is wider. */
const MAX_LETTER_SPACING_SIZES = 0.45
/** Tolerance of equal gaps, in font sizes. A space between spaced letters is far wider. */
const TOLERANCE_SIZES = 0.05
/** Minimum extra width of a gap between words over the gap between letters, in font sizes. */
const MIN_EXTRA_WORD_GAP_SIZES = 0.12
/** A wider gap, in font sizes, separates cells. */
const MAX_WORD_GAP_SIZES = 1.2
/** Fewer equal gaps occur by chance, as between the initials of a name. */
const MIN_EQUAL_GAPS = 4
/** Minimum share of equal gaps, and of letters, in letterspaced words. */
const MIN_EQUAL_SHARE = 0.6
const MIN_LETTER_SHARE = 0.7

/** Joins letterspaced words, also with a last letter apart: `T h e Towe r` is `The Tower`. */
export function joinLetterspaced(glyphs: readonly Glyph[]): Glyph[] {
  if (!glyphs.some(({ isGenerated }) => isGenerated)) return [...glyphs]
  const edited: (Glyph | null)[] = [...glyphs]
  for (const gaps of listLines(glyphs)) {
    joinSpreadWords(gaps, edited)
    for (const run of splitAtCells(gaps)) joinEvenLetters(run, edited)
  }
  return edited.filter((glyph) => glyph !== null)
}

/** Lists the gaps of each line that may have spread letters. */
function listLines(glyphs: readonly Glyph[]): LetterGap[][] {
  const lines: LetterGap[][] = [[]]
  let last: { glyph: Glyph; index: number } | null = null
  let space: LetterGap['space'] = 'none'
  for (const [index, glyph] of glyphs.entries()) {
    if (glyph.text.trim() === '') {
      if (!glyph.isGenerated) space = 'written'
      else if (space === 'none') space = 'generated'
      continue
    }
    const isSameLine = last !== null && last.glyph.baseline === glyph.baseline && last.glyph.size === glyph.size
    if (last === null || !isSameLine || glyph.left < last.glyph.left) lines.push([])
    else {
      const width = (glyph.left - last.glyph.right) / glyph.size
      lines.at(-1)?.push({ width, space, from: last.index + 1, to: index, letter: glyph })
    }
    last = { glyph, index }
    space = 'none'
  }
  return lines.filter(mayBeSpread)
}

/** False for a line without generated spaces, and for one whose letters touch, as in most texts. */
function mayBeSpread(gaps: readonly LetterGap[]): boolean {
  const isSpread = ({ width }: LetterGap) => width >= MIN_LETTER_SPACING_SIZES - TOLERANCE_SIZES
  return (
    gaps.some(({ space }) => space === 'generated') &&
    (gaps.some((gap) => gap.space === 'none' && isSpread(gap)) ||
      gaps.filter(isSpread).length >= MIN_EQUAL_SHARE * gaps.length)
  )
}

/** Removes generated spaces that are as wide as the letter gaps of the word or line. */
function joinSpreadWords(gaps: readonly LetterGap[], edited: (Glyph | null)[]): void {
  const direct = gaps.filter(({ space }) => space === 'none').map(({ width }) => width)
  const usual = direct.sort((a, b) => a - b)[direct.length >> 1]
  if (usual === undefined) return
  for (const [index, gap] of gaps.entries()) {
    if (gap.space !== 'generated') continue
    const beside = [gaps[index - 1], gaps[index + 1]].find((other) => other?.space === 'none')
    const spacing = beside?.width ?? usual
    if (spacing >= MIN_LETTER_SPACING_SIZES && gap.width <= spacing + TOLERANCE_SIZES) removeSpaces(gap, edited)
  }
}

function splitAtCells(gaps: readonly LetterGap[]): LetterGap[][] {
  const runs: LetterGap[][] = [[]]
  for (const gap of gaps) {
    if (gap.width > MAX_WORD_GAP_SIZES) runs.push([])
    else runs.at(-1)?.push(gap)
  }
  return runs
}

/** Joins letters with equal gaps; a wider gap becomes a written space. */
function joinEvenLetters(gaps: readonly LetterGap[], edited: (Glyph | null)[]): void {
  const generated = gaps.filter(({ space }) => space === 'generated')
  const widths = generated.map(({ width }) => width).sort((a, b) => a - b)
  const spacing = widths[widths.length >> 2] ?? 0
  if (spacing < MIN_LETTER_SPACING_SIZES || spacing > MAX_LETTER_SPACING_SIZES) return
  const even = gaps.filter(({ width, space }) => space !== 'written' && Math.abs(width - spacing) <= TOLERANCE_SIZES)
  const letters = even.filter(({ letter }) => /\p{L}/u.test(letter.text))
  if (even.length < MIN_EQUAL_GAPS || letters.length < MIN_LETTER_SHARE * even.length) return
  if (even.length < MIN_EQUAL_SHARE * gaps.length || isAlphabet(even)) return
  for (const gap of generated) {
    if (gap.width <= spacing + TOLERANCE_SIZES) removeSpaces(gap, edited)
    else if (gap.width >= spacing + MIN_EXTRA_WORD_GAP_SIZES) writeSpace(gap, edited)
  }
}

/** True for a list of letters in alphabetical order, or of the same letter. */
function isAlphabet(gaps: readonly LetterGap[]): boolean {
  const codes = gaps.map(({ letter }) => letter.text.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  return steps.filter((step) => step === 1 || step === 0).length > 0.5 * steps.length
}

function removeSpaces({ from, to }: LetterGap, edited: (Glyph | null)[]): void {
  for (let index = from; index < to; index += 1) edited[index] = null
}

function writeSpace(gap: LetterGap, edited: (Glyph | null)[]): void {
  const space = edited[gap.from]
  removeSpaces(gap, edited)
  if (space !== null && space !== undefined) edited[gap.from] = { ...space, text: ' ', isGenerated: false }
}
