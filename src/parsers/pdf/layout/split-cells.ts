import { BULLET } from './cell.ts'
import { listRows } from './regions.ts'
import { RIGHT_TO_LEFT, type Span } from './span.ts'

/** A gap in which a space is written is between cells only where it is this wide, in font sizes: Word ends each cell with one. */
const WRITTEN_SIZES = 0.9
/** A gap between spans that is this wide, in font sizes, is no gap between words. */
const WIDE_SIZES = 0.9
/** Gaps under each other have this width in common, in font sizes. */
const COMMON_SIZES = 0.1
/** The cells of a column begin, end or have their middle at one place, give or take so many font sizes. */
const EDGE_SIZES = 0.15
/** Rows of a table whose lines are further apart are not compared, nor more of them than so many on each side. */
const ROW_SIZES = 4
const MAX_ROWS = 6
/** No row of a table that a person reads has more cells. */
const MAX_CELLS = 100
const MAX_ROUNDS = 10
/** The cells of a column are as large as each other, give or take this share: a heading begins where the table above it does. */
const SAME_SIZE = 0.1
/** What ends something, and is no cell: `}`, `’`, or `: verbose output` behind a word of code. */
const CLOSING = /^[\p{Pe}\p{Pf}]+$|^[:;,.!?]/u

/** What may be a cell: the text of a span from `from` to `to`. */
type Piece = { span: Span; from: number; to: number; left: number; right: number }

/** Between two pieces of a row. `isWritten`: a space stands in it; `isSure`: it is between two cells. */
type Opening = { before: Piece; after: Piece; isWritten: boolean; isWide: boolean; isSure: boolean }

type Row = { baseline: number; size: number; openings: Opening[] }

/**
 * The spans of a page, those divided into cells where the gap between two cells is hardly wider than one between words: an amount that fills its column
 * stands as near to the next cell. Such a gap has no space written in it, or is wider than the words of its page are apart, and a cell beside it begins,
 * ends or has its middle where one in a row above or below does. A span that was parted says so in `beginsCell`.
 */
export function splitCells(spans: readonly Span[]): Span[] {
  const spacing = measureSpacing(spans)
  const rows = listRows(spans).map((row) => toRow(row, spacing))
  // An opening that is sure makes those sure that stand under it, and these the next ones.
  for (let round = 0; round < MAX_ROUNDS && confirm(rows, spacing); round += 1);
  const starts = new Map<Span, Set<number>>()
  for (const { after, isSure } of rows.flatMap(({ openings }) => openings)) {
    if (isSure) starts.set(after.span, (starts.get(after.span) ?? new Set()).add(after.from))
  }
  const parted = spans.flatMap((span) => divide(span, starts.get(span) ?? new Set()))
  return parted.map((span, order) => ({ ...span, order }))
}

function toRow(spans: readonly Span[], spacing: WordSpacing): Row {
  const pieces = spans.flatMap((span) => listPieces(span, spacing))
  const openings = pieces.slice(1).map((after, index) => openBetween(pieces[index] as Piece, after))
  const size = spans.reduce((most, span) => Math.max(most, span.size), 0)
  return { baseline: spans[0]?.baseline ?? 0, size, openings: openings.length > MAX_CELLS ? [] : openings }
}

/** A span at its gaps that may be between cells. Right-to-left text, which runs the other way, is one piece, as is what has letters of one width, whose gaps are wide. */
function listPieces(span: Span, { least }: WordSpacing): Piece[] {
  const { text, gaps, size } = span
  const whole = { span, from: 0, to: text.length, left: span.left, right: span.right }
  if (hasFixedWidth(span) || RIGHT_TO_LEFT.test(text)) return [whole]
  const pieces: Piece[] = []
  let open = whole
  for (const { at, left, right, isWritten } of gaps) {
    const mayPart = isWritten ? right - left >= WRITTEN_SIZES * size && !isEven(span) : right - left >= least * size
    if (!mayPart || isLeader(text, at) || (open.from === 0 && BULLET.test(text.slice(0, at)))) continue
    pieces.push({ ...open, to: at, right: left })
    open = { ...whole, from: at + 1, left: right }
  }
  return [...pieces, open]
}

function openBetween(before: Piece, after: Piece): Opening {
  const isWithin = before.span === after.span
  return {
    before,
    after,
    isWritten: isWithin && after.span.gaps.some((gap) => gap.at + 1 === after.from && gap.isWritten),
    isWide: !isWithin && after.left - before.right >= WIDE_SIZES * after.span.size,
    isSure: false,
  }
}

/** True when an opening became sure. */
function confirm(rows: readonly Row[], spacing: WordSpacing): boolean {
  let isChanged = false
  for (const [index, { openings }] of rows.entries()) {
    const unsure = openings.filter((opening) => !opening.isWide && !opening.isSure)
    if (unsure.length === 0) continue
    const near = listNear(rows, index).flatMap((row) => row.openings)
    const found = new Set(unsure.filter((opening) => isBetweenCells(opening, near, spacing)))
    for (const opening of found) opening.isSure = isLikeOthers(opening, { openings, found }, spacing)
    isChanged ||= [...found].some(({ isSure }) => isSure)
  }
  return isChanged
}

/** True where the words of the span are nearer to each other, or all its gaps are between cells. */
function isLikeOthers(
  { before, after }: Opening,
  { openings, found }: { openings: readonly Opening[]; found: ReadonlySet<Opening> },
  spacing: WordSpacing,
): boolean {
  if (before.span !== after.span || hasWordGaps(after.span, spacing)) return true
  return openings.every(
    (other) => other.before.span !== after.span || other.after.span !== after.span || other.isSure || found.has(other),
  )
}

function listNear(rows: readonly Row[], index: number): Row[] {
  const row = rows[index] as Row
  const around = [...rows.slice(Math.max(0, index - MAX_ROWS), index), ...rows.slice(index + 1, index + 1 + MAX_ROWS)]
  return around.filter(({ baseline }) => Math.abs(baseline - row.baseline) <= ROW_SIZES * row.size)
}

function isBetweenCells(opening: Opening, near: readonly Opening[], spacing: WordSpacing): boolean {
  const { before, after } = opening
  if (after.left - before.right < spacing.least * after.span.size || CLOSING.test(textOf(after))) return false
  const agreeing = near.filter((other) => agrees(opening, other))
  if (agreeing.some(({ isWide, isSure }) => isWide || isSure)) return true
  // Two lines of text may have a gap at one place, more than two not one that both begins and ends there.
  return (spacing.isWritten ? agreeing : agreeing.filter((other) => isSame(opening, other))).length > 1
}

/** True where the two are one gap between two columns. */
function agrees(opening: Opening, other: Opening): boolean {
  const { before, after, isWritten } = opening
  const { size } = after.span
  if (Math.abs(size - other.after.span.size) > SAME_SIZE * size) return false
  const common = Math.min(after.left, other.after.left) - Math.max(before.right, other.before.right)
  if (common < COMMON_SIZES * size) return false
  const isAt = (a: number, b: number) => Math.abs(a - b) <= EDGE_SIZES * size
  if (isAt(before.right, other.before.right) || isAt(after.left, other.after.left)) return true
  return !isWritten && (isUnder(before, other.before, isAt) || isUnder(after, other.after, isAt))
}

/** One gap behind two different words: lines that begin alike have theirs at one place. */
function isSame({ before, after }: Opening, other: Opening): boolean {
  const most = EDGE_SIZES * after.span.size
  const isAt = Math.abs(before.right - other.before.right) <= most && Math.abs(after.left - other.after.left) <= most
  return isAt && textOf(before) !== textOf(other.before)
}

function textOf({ span, from, to }: Piece): string {
  return span.text.slice(from, to)
}

function isUnder(a: Piece, b: Piece, isAt: (a: number, b: number) => boolean): boolean {
  return isAt(a.left, b.left) || isAt(a.right, b.right) || isAt((a.left + a.right) / 2, (b.left + b.right) / 2)
}

/** `starts`: where in its text a cell begins. */
function divide(span: Span, starts: ReadonlySet<number>): Span[] {
  if (starts.size === 0) return [span]
  const parts: Span[] = []
  let open = { ...span, beginsCell: starts.has(0), gaps: [] as Span['gaps'] }
  let from = 0
  for (const gap of span.gaps) {
    if (starts.has(gap.at + 1)) {
      parts.push({ ...open, text: span.text.slice(from, gap.at), right: gap.left })
      from = gap.at + 1
      open = { ...span, left: gap.right, beginsCell: true, gaps: [] }
    } else open.gaps.push({ ...gap, at: gap.at - from })
  }
  return [...parts, { ...open, text: span.text.slice(from) }]
}

/** How the words of a page are parted. */
type WordSpacing = {
  /** A gap without a space is at least so wide between two cells, in font sizes; `Infinity` where words have gaps of many widths, as in filled lines. */
  least: number
  /** The file writes a space between words, so that a gap without one is another matter. */
  isWritten: boolean
}

/** A page writes its spaces where this share of its gaps has one; gaps without one are then at least so wide, in font sizes, between cells. */
const WRITTEN_SHARE = 0.8
const MIN_SIZES = 0.2
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
function measureSpacing(spans: readonly Span[]): WordSpacing {
  const widths: number[] = []
  let written = 0
  for (const { gaps, size, text } of spans) {
    for (const { at, left, right, isWritten } of gaps) {
      if (isLeader(text, at)) continue
      widths.push((right - left) / size)
      if (isWritten) written += 1
    }
  }
  if (written > 0 && written >= WRITTEN_SHARE * widths.length) return { least: MIN_SIZES, isWritten: true }
  const usual = findUsual(widths.sort((a, b) => a - b))
  return { least: usual === null ? Number.POSITIVE_INFINITY : usual + WIDER_SIZES, isWritten: false }
}

/** True before and between the dots that lead to a number at the end of a line. */
function isLeader(text: string, at: number): boolean {
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
function hasFixedWidth({ letters, size }: Span): boolean {
  return letters.count >= MIN_LETTERS && letters.most - letters.least <= FIXED_SIZES * size
}

/** True where a span also has gaps as narrow as those of words: letters of one width have wide gaps everywhere. */
function hasWordGaps({ gaps, size }: Span, { least }: WordSpacing): boolean {
  return gaps.some(({ left, right }) => right - left < least * size)
}

/** True where the gaps of a span are as wide as each other, as in a line that was filled. */
function isEven({ gaps, size }: Span): boolean {
  const widths = gaps.map(({ left, right }) => right - left)
  const spread =
    widths.reduce((most, width) => Math.max(most, width), 0) -
    widths.reduce((least, width) => Math.min(least, width), Number.POSITIVE_INFINITY)
  return widths.length > 1 && spread <= EVEN_SIZES * size
}
