import { BULLET } from './cell.ts'
import { listRows } from './regions.ts'
import { RIGHT_TO_LEFT, type Span } from './span.ts'

/**
 * Minimum width of a gap between cells, in font sizes, if the gap contains a written space: Word
 * ends each cell with a space.
 */
const MIN_SPACED_GAP_SIZES = 0.9
/** Minimum width of a gap between spans, in font sizes, that cannot separate words. */
const MIN_WIDE_GAP_SIZES = 0.9
/** Minimum width shared by aligned gaps, in font sizes. */
const MIN_COMMON_GAP_SIZES = 0.1
/** Tolerance of a column's shared edge or center, in font sizes. */
const EDGE_TOLERANCE_SIZES = 0.15
/** Rows further apart, in font sizes, or beyond this count on each side are not compared. */
const MAX_ROW_DISTANCE_SIZES = 4
const MAX_COMPARED_ROWS = 6
/** No readable table row has more cells. */
const MAX_CELLS = 100
const MAX_ROUNDS = 10
/**
 * Tolerance of font sizes within a column: a heading may start at the left edge of the table above.
 */
const SIZE_TOLERANCE = 0.1
/** Closing characters never start a cell: `}`, `’`, or `: verbose output` after a word of code. */
const CLOSING_CHARACTERS = /^[\p{Pe}\p{Pf}]+$|^[:;,.!?]/u

/** A candidate cell: the text of a span from `from` to `to`. */
type CellCandidate = { span: Span; from: number; to: number; left: number; right: number }

/**
 * The gap between two pieces of a row. `isWritten`: contains a space; `isSure`: confirmed as a gap
 * between cells.
 */
type CellGap = {
  before: CellCandidate
  after: CellCandidate
  isWritten: boolean
  isWide: boolean
  isConfirmed: boolean
}

type Row = { baseline: number; size: number; cellGaps: CellGap[] }

/**
 * Splits spans into cells where the gap is hardly wider than a word space, as after an amount that
 * fills its column.
 *
 * Such a gap has no written space or is wider than the word spaces of the page. An adjacent cell
 * shares an edge or center with a cell in a nearby row. New spans set `startsCell`.
 */
export function splitCells(spans: readonly Span[]): Span[] {
  const spacing = measureSpacing(spans)
  const rows = listRows(spans).map((row) => toRow(row, spacing))
  // A confirmed gap confirms the aligned gaps of nearby rows, which confirm further rows.
  for (let round = 0; round < MAX_ROUNDS && confirmGaps(rows, spacing); round += 1);
  const starts = new Map<Span, Set<number>>()
  for (const { after, isConfirmed } of rows.flatMap(({ cellGaps }) => cellGaps)) {
    if (isConfirmed) starts.set(after.span, (starts.get(after.span) ?? new Set()).add(after.from))
  }
  const parted = spans.flatMap((span) => splitSpan(span, starts.get(span) ?? new Set()))
  return parted.map((span, order) => ({ ...span, order }))
}

function toRow(spans: readonly Span[], spacing: WordSpacing): Row {
  const pieces = spans.flatMap((span) => listCandidates(span, spacing))
  const cellGaps = pieces.slice(1).map((after, index) => createGap(pieces[index] as CellCandidate, after))
  const size = spans.reduce((max, span) => Math.max(max, span.size), 0)
  return { baseline: spans[0]?.baseline ?? 0, size, cellGaps: cellGaps.length > MAX_CELLS ? [] : cellGaps }
}

/**
 * Splits a span at gaps that may separate cells. Right-to-left text and monospaced text, with its
 * wide gaps, are not split.
 */
function listCandidates(span: Span, { minCellGapSizes }: WordSpacing): CellCandidate[] {
  const { text, gaps, size } = span
  const whole = { span, from: 0, to: text.length, left: span.left, right: span.right }
  if (isMonospaced(span) || RIGHT_TO_LEFT.test(text)) return [whole]
  const pieces: CellCandidate[] = []
  let open = whole
  for (const { at, left, right, isWritten } of gaps) {
    const mayPart = isWritten
      ? right - left >= MIN_SPACED_GAP_SIZES * size && !hasEvenGaps(span)
      : right - left >= minCellGapSizes * size
    if (!mayPart || isDotLeader(text, at) || (open.from === 0 && BULLET.test(text.slice(0, at)))) continue
    pieces.push({ ...open, to: at, right: left })
    open = { ...whole, from: at + 1, left: right }
  }
  return [...pieces, open]
}

function createGap(before: CellCandidate, after: CellCandidate): CellGap {
  const isWithin = before.span === after.span
  return {
    before,
    after,
    isWritten: isWithin && after.span.gaps.some((gap) => gap.at + 1 === after.from && gap.isWritten),
    isWide: !isWithin && after.left - before.right >= MIN_WIDE_GAP_SIZES * after.span.size,
    isConfirmed: false,
  }
}

/** True when a gap was confirmed. */
function confirmGaps(rows: readonly Row[], spacing: WordSpacing): boolean {
  let isChanged = false
  for (const [index, { cellGaps }] of rows.entries()) {
    const unsure = cellGaps.filter((cellGap) => !cellGap.isWide && !cellGap.isConfirmed)
    if (unsure.length === 0) continue
    const near = listNearbyRows(rows, index).flatMap((row) => row.cellGaps)
    const found = new Set(unsure.filter((cellGap) => isBetweenCells(cellGap, near, spacing)))
    for (const cellGap of found) cellGap.isConfirmed = differsFromWordGaps(cellGap, { cellGaps, found }, spacing)
    isChanged ||= [...found].some(({ isConfirmed }) => isConfirmed)
  }
  return isChanged
}

/** True when the span also has narrower word gaps, or when all of its gaps separate cells. */
function differsFromWordGaps(
  { before, after }: CellGap,
  { cellGaps, found }: { cellGaps: readonly CellGap[]; found: ReadonlySet<CellGap> },
  spacing: WordSpacing,
): boolean {
  if (before.span !== after.span || hasWordGaps(after.span, spacing)) return true
  return cellGaps.every(
    (other) =>
      other.before.span !== after.span || other.after.span !== after.span || other.isConfirmed || found.has(other),
  )
}

function listNearbyRows(rows: readonly Row[], index: number): Row[] {
  const row = rows[index] as Row
  const around = [
    ...rows.slice(Math.max(0, index - MAX_COMPARED_ROWS), index),
    ...rows.slice(index + 1, index + 1 + MAX_COMPARED_ROWS),
  ]
  return around.filter(({ baseline }) => Math.abs(baseline - row.baseline) <= MAX_ROW_DISTANCE_SIZES * row.size)
}

function isBetweenCells(cellGap: CellGap, near: readonly CellGap[], spacing: WordSpacing): boolean {
  const { before, after } = cellGap
  if (after.left - before.right < spacing.minCellGapSizes * after.span.size || CLOSING_CHARACTERS.test(textOf(after)))
    return false
  const agreeing = near.filter((other) => isSameColumnGap(cellGap, other))
  if (agreeing.some(({ isWide, isConfirmed }) => isWide || isConfirmed)) return true
  // Two lines of text may share a gap by chance; more than two never share both of its edges.
  return (spacing.isWritten ? agreeing : agreeing.filter((other) => isSameGap(cellGap, other))).length > 1
}

/** True when both gaps belong to the same pair of columns. */
function isSameColumnGap(cellGap: CellGap, other: CellGap): boolean {
  const { before, after, isWritten } = cellGap
  const { size } = after.span
  if (Math.abs(size - other.after.span.size) > SIZE_TOLERANCE * size) return false
  const common = Math.min(after.left, other.after.left) - Math.max(before.right, other.before.right)
  if (common < MIN_COMMON_GAP_SIZES * size) return false
  const isAt = (a: number, b: number) => Math.abs(a - b) <= EDGE_TOLERANCE_SIZES * size
  if (isAt(before.right, other.before.right) || isAt(after.left, other.after.left)) return true
  return !isWritten && (isAligned(before, other.before, isAt) || isAligned(after, other.after, isAt))
}

/** The same gap after different words: lines that start alike have equal gaps. */
function isSameGap({ before, after }: CellGap, other: CellGap): boolean {
  const max = EDGE_TOLERANCE_SIZES * after.span.size
  const isAt = Math.abs(before.right - other.before.right) <= max && Math.abs(after.left - other.after.left) <= max
  return isAt && textOf(before) !== textOf(other.before)
}

function textOf({ span, from, to }: CellCandidate): string {
  return span.text.slice(from, to)
}

function isAligned(a: CellCandidate, b: CellCandidate, isAt: (a: number, b: number) => boolean): boolean {
  return isAt(a.left, b.left) || isAt(a.right, b.right) || isAt((a.left + a.right) / 2, (b.left + b.right) / 2)
}

/** Splits a span. `starts`: text offsets where a cell begins. */
export function splitSpan(span: Span, starts: ReadonlySet<number>): Span[] {
  if (starts.size === 0) return [span]
  const parts: Span[] = []
  let open = { ...span, startsCell: starts.has(0), gaps: [] as Span['gaps'] }
  let from = 0
  for (const gap of span.gaps) {
    if (starts.has(gap.at + 1)) {
      parts.push({ ...open, text: span.text.slice(from, gap.at), right: gap.left })
      from = gap.at + 1
      open = { ...span, left: gap.right, startsCell: true, gaps: [] }
    } else open.gaps.push({ ...gap, at: gap.at - from })
  }
  return [...parts, { ...open, text: span.text.slice(from) }]
}

/** Word spacing of a page. */
type WordSpacing = {
  /**
   * Minimum width of a gap between cells without a written space, in font sizes; `Infinity` when
   * word gaps vary, as in justified lines.
   */
  minCellGapSizes: number
  /**
   * True when the file writes spaces between words, so that a gap without a space is significant.
   */
  isWritten: boolean
}

/** Minimum share of gaps with a space on a page that writes spaces. */
const MIN_WRITTEN_SHARE = 0.8
/** On such a page, the minimum width of a cell gap without a space, in font sizes. */
const MIN_CELL_GAP_SIZES = 0.2
/** On other pages, the minimum share of gaps with equal width, and its tolerance in font sizes. */
const MIN_EVEN_SHARE = 0.6
const WIDTH_TOLERANCE_SIZES = 0.03
/** On other pages, the extra width of a cell gap over a word gap, in font sizes. */
const MIN_EXTRA_GAP_SIZES = 0.1

/** Maximum difference between the gaps of a justified line, in font sizes. */
const MAX_UNEVEN_SIZES = 0.25

/** Fewer letters may have equal widths in any font. */
const MIN_LETTERS = 4
const MAX_WIDTH_DIFFERENCE_SIZES = 0.02

/** Measures the word gaps of a page. */
function measureSpacing(spans: readonly Span[]): WordSpacing {
  const widths: number[] = []
  let written = 0
  for (const { gaps, size, text } of spans) {
    for (const { at, left, right, isWritten } of gaps) {
      if (isDotLeader(text, at)) continue
      widths.push((right - left) / size)
      if (isWritten) written += 1
    }
  }
  if (written > 0 && written >= MIN_WRITTEN_SHARE * widths.length)
    return { minCellGapSizes: MIN_CELL_GAP_SIZES, isWritten: true }
  const usual = findCommonWidth(widths.sort((a, b) => a - b))
  return { minCellGapSizes: usual === null ? Number.POSITIVE_INFINITY : usual + MIN_EXTRA_GAP_SIZES, isWritten: false }
}

/** True for gaps around dot leaders. */
function isDotLeader(text: string, at: number): boolean {
  return text[at + 1] === '.' && (text[at + 2] ?? ' ') === ' '
}

/** The width shared by most gaps; `widths` must be sorted. */
function findCommonWidth(widths: readonly number[]): number | null {
  let from = 0
  for (const [to, width] of widths.entries()) {
    while (width - (widths[from] ?? width) > 2 * WIDTH_TOLERANCE_SIZES) from += 1
    if (to - from + 1 >= MIN_EVEN_SHARE * widths.length) return widths[(from + to) >> 1] ?? null
  }
  return null
}

/** True for monospaced text. */
function isMonospaced({ letters, size }: Span): boolean {
  return letters.count >= MIN_LETTERS && letters.max - letters.min <= MAX_WIDTH_DIFFERENCE_SIZES * size
}

/**
 * True when a span also has gaps as narrow as word spaces. In monospaced text all gaps are wide.
 */
function hasWordGaps({ gaps, size }: Span, { minCellGapSizes }: WordSpacing): boolean {
  return gaps.some(({ left, right }) => right - left < minCellGapSizes * size)
}

/** True when all gaps of a span are about equal, as in a justified line. */
function hasEvenGaps({ gaps, size }: Span): boolean {
  const widths = gaps.map(({ left, right }) => right - left)
  const spread =
    widths.reduce((max, width) => Math.max(max, width), 0) -
    widths.reduce((min, width) => Math.min(min, width), Number.POSITIVE_INFINITY)
  return widths.length > 1 && spread <= MAX_UNEVEN_SIZES * size
}
