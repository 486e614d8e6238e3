import type { Span } from './span.ts'

/** How the words of a page are parted. */
export type WordSpacing = {
  /** A gap without a space is at least so wide between two cells, in font sizes; `Infinity` where words have gaps of many widths, as in filled lines. */
  least: number
  /** The file writes a space between words, so that a gap without one is another matter. */
  isWritten: boolean
}

/** A page writes its spaces where this share of its gaps has one; gaps without one are then at least so wide, in font sizes, between cells. */
const WRITTEN_SHARE = 0.8
const LEAST_SIZES = 0.2
/** Where none are written: this share of the gaps is of one width, give or take so many font sizes, and those between cells are so much wider. */
const EVEN_SHARE = 0.6
const SAME_SIZES = 0.03
const WIDER_SIZES = 0.1

/** Gaps of a line that was filled differ by less, in font sizes. */
const EVEN_SIZES = 0.25

/** Fewer letters may be equally wide in any font. */
const MIN_LETTERS = 4
const FIXED_SIZES = 0.02

/** What the gaps within the spans of a page are like. */
export function measureSpacing(spans: readonly Span[]): WordSpacing {
  const widths: number[] = []
  let written = 0
  for (const { gaps, size, text } of spans) {
    for (const { at, left, right, isWritten } of gaps) {
      if (isLeader(text, at)) continue
      widths.push((right - left) / size)
      if (isWritten) written += 1
    }
  }
  if (written > 0 && written >= WRITTEN_SHARE * widths.length) return { least: LEAST_SIZES, isWritten: true }
  const usual = findUsual(widths.sort((a, b) => a - b))
  return { least: usual === null ? Number.POSITIVE_INFINITY : usual + WIDER_SIZES, isWritten: false }
}

/** True before and between the dots that lead to a number at the end of a line. */
export function isLeader(text: string, at: number): boolean {
  return text[at + 1] === '.' && (text[at + 2] ?? ' ') === ' '
}

/** The width that most have; `widths` are sorted. */
function findUsual(widths: readonly number[]): number | null {
  let from = 0
  for (const [to, width] of widths.entries()) {
    while (width - (widths[from] ?? width) > 2 * SAME_SIZES) from += 1
    if (to - from + 1 >= EVEN_SHARE * widths.length) return widths[(from + to) >> 1] ?? null
  }
  return null
}

/** True where the letters of a span are all equally wide, as those of a typewriter. */
export function hasFixedWidth({ letters, size }: Span): boolean {
  return letters.count >= MIN_LETTERS && letters.most - letters.least <= FIXED_SIZES * size
}

/** True where a span also has gaps as narrow as those of words: letters of one width have wide gaps everywhere. */
export function hasWordGaps({ gaps, size }: Span, { least }: WordSpacing): boolean {
  return gaps.some(({ left, right }) => right - left < least * size)
}

/** True where the gaps of a span are as wide as each other, as in a line that was filled. */
export function isEven({ gaps, size }: Span): boolean {
  const widths = gaps.map(({ left, right }) => right - left)
  const spread =
    widths.reduce((most, width) => Math.max(most, width), 0) -
    widths.reduce((least, width) => Math.min(least, width), Number.POSITIVE_INFINITY)
  return widths.length > 1 && spread <= EVEN_SIZES * size
}
