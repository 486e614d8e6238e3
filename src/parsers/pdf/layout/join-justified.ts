import { appendSpan, LEADING_SIZES, type Span } from './span.ts'

/** Justifying widens all gaps of a line alike; what may differ, in font sizes and as a share. Gaps behind a mark are wider. */
const UNEVEN_SIZES = 0.25
const UNEVEN_SHARE = 1.25
/** A gap behind a mark is up to this many times as wide as the others of its line. */
const SENTENCE_SHARE = 2.2
/** Wider gaps than this, in font sizes, are no longer those between words. */
const MAX_GAP_SIZES = 8
/** Lines of a justified text end at one place, as the cells of a column begin or end, give or take so many font sizes. */
const EDGE_SIZES = 0.35
/** No line of a text has more words. */
const MAX_GAPS = 200
/** The first line of a paragraph, and the further ones of an item, begin this much, in font sizes, further in. */
const INDENT_SIZES = 5

/** A line in the order of the file. */
type Line = { spans: Span[]; left: number; right: number; baseline: number; size: number; gaps: WordGap[] }

type WordGap = { left: number; right: number; isAfterMark: boolean }

/**
 * Words that were moved apart to fill a line, each a span of its own where the gaps are wide, as one span again. Such a line has even gaps, ends where a
 * neighbour with even gaps ends, and has its gaps elsewhere; the gaps of a table's rows stand under each other.
 */
export function joinJustified(spans: readonly Span[]): Span[] {
  const lines = listLines(spans)
  const joined = lines.flatMap((line, index) => {
    const neighbours = [lines[index - 1], lines[index + 1]].filter((other) => other !== undefined)
    const isText = line.spans.length > 1 && isEven(line)
    const isJoined = isText && (hasSentenceGaps(line) || neighbours.some((other) => fillsLike(line, other)))
    return isJoined ? [joinLine(line)] : line.spans
  })
  return joined.map((span, order) => ({ ...span, order }))
}

function listLines(spans: readonly Span[]): Line[] {
  const lines: Line[] = []
  for (const span of spans) {
    const last = lines.at(-1)
    const { left, right, baseline, size } = span
    const inner = span.gaps.map((gap) => ({
      ...gap,
      isAfterMark: endsWithMark(span.text.slice(Math.max(0, gap.at - 5), gap.at)),
    }))
    if (last !== undefined && Math.abs(last.baseline - baseline) < 0.2 * size && left >= last.right) {
      last.gaps.push(
        { left: last.right, right: left, isAfterMark: endsWithMark(last.spans.at(-1)?.text ?? '') },
        ...inner,
      )
      last.spans.push(span)
      last.right = right
    } else lines.push({ spans: [span], left, right, baseline, size, gaps: inner })
  }
  return lines
}

/** The number of a note may stand behind the mark: `sailors.1` is no amount. */
function endsWithMark(text: string): boolean {
  return /(?:[.,:;!?]|\p{L}[.,:;!?]\d{1,2})$/u.test(text)
}

function isEven({ gaps, size }: Line): boolean {
  if (gaps.length > MAX_GAPS) return false
  const between = gaps.filter((gap) => !gap.isAfterMark)
  const compared = between.length < 2 ? gaps : between
  if (compared.length < 2) return false
  const [least, most] = measureGaps(compared)
  return most <= MAX_GAP_SIZES * size && (most - least <= UNEVEN_SIZES * size || most <= UNEVEN_SHARE * least)
}

/** The narrowest and the widest. */
function measureGaps(gaps: readonly WordGap[]): [number, number] {
  const widths = gaps.map(({ left, right }) => right - left)
  return [Math.min(...widths), Math.max(...widths)]
}

/** Only the gaps behind marks are wide, as TeX sets them, and not as wide as between cells. */
function hasSentenceGaps({ spans, gaps }: Line): boolean {
  if (!spans.slice(0, -1).every((span) => endsWithMark(span.text))) return false
  const between = gaps.filter((gap) => !gap.isAfterMark)
  return between.length > 2 && measureGaps(gaps)[1] <= SENTENCE_SHARE * measureGaps(between)[0]
}

function fillsLike(line: Line, other: Line): boolean {
  const { size } = line
  const isNear = Math.abs(line.baseline - other.baseline) <= LEADING_SIZES * size
  const isFlush = Math.abs(line.right - other.right) <= EDGE_SIZES * size
  const isBelow = Math.abs(line.left - other.left) <= INDENT_SIZES * size
  if (!isNear || !isFlush || !isBelow || !isEven(other)) return false
  return !(areUnder(line.gaps, other.gaps, size) && areUnder(other.gaps, line.gaps, size))
}

/** Gaps of columns begin, end, or have their middle at one place. */
function areUnder(gaps: readonly WordGap[], others: readonly WordGap[], size: number): boolean {
  const isAt = (a: number, b: number) => Math.abs(a - b) <= EDGE_SIZES * size
  return gaps.every(({ left, right }) =>
    others.some(
      (other) => isAt(left, other.left) || isAt(right, other.right) || isAt(left + right, other.left + other.right),
    ),
  )
}

function joinLine({ spans }: Line): Span {
  const [first, ...others] = spans as [Span, ...Span[]]
  const line = { ...first, gaps: [...first.gaps] }
  for (const span of others) appendSpan(line, span, ' ')
  return line
}
