import { appendSpan, MAX_LEADING_SIZES, type Span } from './span.ts'

/**
 * Justification widens all gaps of a line equally. Tolerances in font sizes and as a ratio; gaps
 * after punctuation may be wider.
 */
const MAX_UNEVEN_SIZES = 0.25
const MAX_UNEVEN_RATIO = 1.25
/** Maximum ratio of a gap after punctuation to the other gaps of its line. */
const MAX_SENTENCE_GAP_RATIO = 2.2
/** Wider gaps, in font sizes, do not separate words. */
const MAX_GAP_SIZES = 8
/** Tolerance of shared line ends and column edges, in font sizes. */
const EDGE_TOLERANCE_SIZES = 0.35
/** No line of text has more words. */
const MAX_GAPS = 200
/** Maximum indent of a first line or of the further lines of a list item, in font sizes. */
const MAX_INDENT_SIZES = 5

/** A line in file order. */
type Line = { spans: Span[]; left: number; right: number; baseline: number; size: number; gaps: WordGap[] }

type WordGap = { left: number; right: number; isAfterPunctuation: boolean }

/**
 * Joins the words of a justified line into a span; wide gaps split such a line into a span per
 * word. The line has even gaps and ends where a neighbor with even gaps ends. Its gaps are not
 * aligned with the neighbor's, unlike the gaps of table rows.
 */
export function joinJustified(spans: readonly Span[]): Span[] {
  const lines = listLines(spans)
  const joined = lines.flatMap((line, index) => {
    const neighbours = [lines[index - 1], lines[index + 1]].filter((other) => other !== undefined)
    const isText = line.spans.length > 1 && hasEvenGaps(line)
    const isJoined = isText && (hasSentenceGaps(line) || neighbours.some((other) => isJustifiedLike(line, other)))
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
      isAfterPunctuation: endsWithPunctuation(span.text.slice(Math.max(0, gap.at - 5), gap.at)),
    }))
    if (last !== undefined && Math.abs(last.baseline - baseline) < 0.2 * size && left >= last.right) {
      last.gaps.push(
        { left: last.right, right: left, isAfterPunctuation: endsWithPunctuation(last.spans.at(-1)?.text ?? '') },
        ...inner,
      )
      last.spans.push(span)
      last.right = right
    } else lines.push({ spans: [span], left, right, baseline, size, gaps: inner })
  }
  return lines
}

/** A footnote number may follow the punctuation: `sailors.1` is not a decimal. */
function endsWithPunctuation(text: string): boolean {
  return /(?:[.,:;!?]|\p{L}[.,:;!?]\d{1,2})$/u.test(text)
}

function hasEvenGaps({ gaps, size }: Line): boolean {
  if (gaps.length > MAX_GAPS) return false
  const between = gaps.filter((gap) => !gap.isAfterPunctuation)
  const compared = between.length < 2 ? gaps : between
  if (compared.length < 2) return false
  const [min, max] = measureGaps(compared)
  return max <= MAX_GAP_SIZES * size && (max - min <= MAX_UNEVEN_SIZES * size || max <= MAX_UNEVEN_RATIO * min)
}

/** Returns the narrowest and the widest gap. */
function measureGaps(gaps: readonly WordGap[]): [number, number] {
  const widths = gaps.map(({ left, right }) => right - left)
  return [Math.min(...widths), Math.max(...widths)]
}

/**
 * True when only the gaps after punctuation are wide, as TeX sets them, but narrower than gaps
 * between cells.
 */
function hasSentenceGaps({ spans, gaps }: Line): boolean {
  if (!spans.slice(0, -1).every((span) => endsWithPunctuation(span.text))) return false
  const between = gaps.filter((gap) => !gap.isAfterPunctuation)
  return between.length > 2 && measureGaps(gaps)[1] <= MAX_SENTENCE_GAP_RATIO * measureGaps(between)[0]
}

function isJustifiedLike(line: Line, other: Line): boolean {
  const { size } = line
  const isNear = Math.abs(line.baseline - other.baseline) <= MAX_LEADING_SIZES * size
  const isFlush = Math.abs(line.right - other.right) <= EDGE_TOLERANCE_SIZES * size
  const isBelow = Math.abs(line.left - other.left) <= MAX_INDENT_SIZES * size
  if (!isNear || !isFlush || !isBelow || !hasEvenGaps(other)) return false
  return !(areAligned(line.gaps, other.gaps, size) && areAligned(other.gaps, line.gaps, size))
}

/** True when the gaps share a left edge, a right edge or a center, as table columns do. */
function areAligned(gaps: readonly WordGap[], others: readonly WordGap[], size: number): boolean {
  const isAt = (a: number, b: number) => Math.abs(a - b) <= EDGE_TOLERANCE_SIZES * size
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
