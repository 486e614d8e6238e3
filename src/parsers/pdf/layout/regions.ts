import { BULLET } from './cell.ts'
import type { Span } from './span.ts'

/** Horizontal resolution of the search for empty stripes. */
const BINS = 400
/** Minimum width of a gutter, in font sizes. */
const MIN_GUTTER_SIZES = 0.8
/**
 * Shares of the lines that may cross a gutter, tried in order: titles and wide figures first,
 * finally a page with mostly a single column.
 */
const MAX_CROSSED_SHARES = [0.02, 0.1, 0.25, 0.5, 0.75]
/** Maximum number of gutters tried. */
const MAX_GUTTERS = 6
/** Minimum line length of prose, even in narrow newspaper columns. Table cells are shorter. */
const MIN_PROSE_CHARACTERS = 22
/** Minimum cells of a table header; two cells may be lines of two columns. */
const MIN_HEADER_CELLS = 3
/** No readable table has more columns. */
const MAX_HEADER_CELLS = 100
/** Maximum nesting of columns; deeper splits are accidental. */
const MAX_DEPTH = 6

type Gutter = { left: number; right: number }

/**
 * Splits a page into regions in reading order: full-width regions from top to bottom, and column by
 * column between them. Table rows stay together.
 */
export function orderRegions(spans: readonly Span[]): Span[][] {
  const isWide = (row: readonly Span[]) => row.length > 1
  const apart = splitPage(spans, (row) => isWide(row) || isFirstOrLastInFile(row, spans))
  return (apart.hasColumns ? apart : splitPage(spans, isWide)).regions
}

function splitPage(spans: readonly Span[], mayBeMargin: (row: readonly Span[]) => boolean) {
  const [header, body, footer] = splitHeaderAndFooter(spans, mayBeMargin)
  const columns = splitColumns(body, 0)
  const regions = [header, ...columns, footer].filter((region) => region.length > 0)
  return { regions, hasColumns: columns.length > 1 }
}

/** True for a line that is first or last in the file, such as a title or page number. */
function isFirstOrLastInFile([only, ...others]: readonly Span[], spans: readonly Span[]): boolean {
  if (only === undefined || others.length > 0) return false
  const isBefore = spans.every(({ order }) => order >= only.order)
  return isBefore || spans.every(({ order }) => order <= only.order)
}

/**
 * Separates page header and footer: the first and last line if a wide gap sets them apart.
 * Otherwise they would count as lines of a column.
 */
function splitHeaderAndFooter(
  spans: readonly Span[],
  mayBeMargin: (row: readonly Span[]) => boolean,
): [Span[], Span[], Span[]] {
  const rows = listRows(spans)
  if (rows.length < 4) return [[], [...spans], []]
  const gap = (above: Span[], below: Span[]) => bottomOf(above) - topOf(below)
  const isApart = (row: Span[], between: number, next: number) =>
    mayBeMargin(row) && between > 0.8 * sizeOf(row) && between > 1.5 * next
  const [first = [], second = [], third = []] = rows
  const [thirdLast = [], secondLast = [], last = []] = rows.slice(-3)
  const isHeader = isApart(first, gap(first, second), gap(second, third)) && !sharesLeftEdges(first, rows.slice(1, 8))
  const header = isHeader ? first : []
  const isFooter =
    isApart(last, gap(secondLast, last), gap(thirdLast, secondLast)) && !sharesLeftEdges(last, rows.slice(-8, -1))
  const footer = isFooter ? last : []
  return [header, rows.filter((row) => row !== header && row !== footer).flat(), footer]
}

/**
 * True when each piece of a row shares a left edge with a nearby row. A table row does; a page
 * header or footer does not.
 */
function sharesLeftEdges(row: readonly Span[], near: readonly (readonly Span[])[]): boolean {
  const spans = near.flat()
  return row.length > 1 && row.every(({ left }) => spans.some((span) => Math.abs(span.left - left) < 1))
}

function splitColumns(spans: Span[], depth: number): Span[][] {
  if (spans.length < 4 || depth > MAX_DEPTH) return [spans]
  for (const gutter of listGutters(spans)) {
    const parts = splitAtGutter(spans, gutter)
    if (parts.length > 1) return parts.flatMap((part) => splitColumns(part.spans, depth + 1))
  }
  return [spans]
}

type Part = { isColumn: boolean; spans: Span[] }

function splitAtGutter(spans: readonly Span[], gutter: Gutter): Part[] {
  const parts: Part[] = []
  for (const band of moveHeadingsDown(cutBands(spans, gutter), gutter).flatMap((found) =>
    splitRightHeader(found, gutter),
  )) {
    const columns = band.crosses ? null : getColumns(band.spans, gutter)
    const last = parts.at(-1)
    if (columns !== null) parts.push(...columns.map((column) => ({ isColumn: true, spans: column })))
    else if (last?.isColumn === false) last.spans.push(...band.spans)
    else parts.push({ isColumn: false, spans: band.spans })
  }
  return parts
}

/**
 * Lists vertical gutters with text on both sides: those crossed by the fewest lines first, then by
 * width.
 */
function listGutters(spans: readonly Span[]): Gutter[] {
  const left = spans.reduce((min, span) => Math.min(min, span.left), Infinity)
  const right = spans.reduce((max, span) => Math.max(max, span.right), -Infinity)
  const step = (right - left) / BINS
  if (!(step > 0)) return []
  const cover = measureCoverage(spans, { left, step })
  const maxHeight = cover.reduce((total, height) => Math.max(total, height), 0)
  const minWidth = MIN_GUTTER_SIZES * medianSize(spans)
  const found: Gutter[] = []
  for (const share of MAX_CROSSED_SHARES) {
    const wide = listEmptyStripes(cover, share * maxHeight)
      .map(({ from, to }) => ({ left: left + from * step, right: left + to * step }))
      .filter((gutter) => gutter.right - gutter.left >= minWidth)
      .sort((a, b) => b.right - b.left - (a.right - a.left))
    for (const gutter of wide) if (!found.some((other) => overlaps(other, gutter))) found.push(gutter)
  }
  return found.slice(0, MAX_GUTTERS)
}

function overlaps(a: Gutter, b: Gutter): boolean {
  return a.left < b.right && b.left < a.right
}

function listEmptyStripes(cover: readonly number[], max: number): { from: number; to: number }[] {
  const stripes: { from: number; to: number }[] = []
  let from = -1
  for (const [bin, height] of cover.entries()) {
    if (height <= max && from === -1) from = bin
    if (height > max && from > 0) stripes.push({ from, to: bin })
    if (height > max) from = -1
  }
  return stripes
}

/**
 * Text height over each horizontal bin. A difference array makes wide spans as cheap as narrow
 * spans.
 */
function measureCoverage(spans: readonly Span[], { left, step }: { left: number; step: number }): number[] {
  const change = new Float64Array(BINS + 2)
  for (const span of spans) {
    const from = clampBin(Math.floor((span.left - left) / step))
    const to = clampBin(Math.ceil((span.right - left) / step))
    change[from] = (change[from] ?? 0) + span.size
    change[to] = (change[to] ?? 0) - span.size
  }
  let height = 0
  return Array.from({ length: BINS }, (_, bin) => {
    height += change[bin] ?? 0
    return height
  })
}

function clampBin(bin: number): number {
  return Math.max(0, Math.min(BINS, bin))
}

type Band = { crosses: boolean; spans: Span[] }

/** Cuts the page into bands that cross the gutter and bands that do not, from top to bottom. */
function cutBands(spans: readonly Span[], gutter: Gutter): Band[] {
  const bands: Band[] = []
  for (const row of listRows(spans)) {
    const crosses = row.some((span) => span.left < gutter.left - 1 && span.right > gutter.right + 1)
    const last = bands.at(-1)
    if (last !== undefined && last.crosses === crosses) last.spans.push(...row)
    else bands.push({ crosses, spans: [...row] })
  }
  return bands
}

/**
 * Moves the last row of a column band down into the crossing band below, if the row starts that
 * band. Such a row is a table header above crossing cells, or a heading: no column ends with a
 * heading.
 */
function moveHeadingsDown(bands: readonly Band[], gutter: Gutter): Band[] {
  const moved: Band[] = bands.map((band) => ({ ...band }))
  for (const [index, band] of moved.entries()) {
    const below = moved[index + 1]
    if (band.crosses || below === undefined) continue
    const rows = listRows(band.spans)
    const last = rows.at(-1) ?? []
    const isHead =
      last.length >= MIN_HEADER_CELLS &&
      last.length <= MAX_HEADER_CELLS &&
      sharesLeftEdges(last, listRows(below.spans).slice(0, 3))
    if (rows.length < 2 || (!isHead && !isHeading(last, rows.slice(0, -1), gutter))) continue
    band.spans = rows.slice(0, -1).flat()
    below.spans = [...last, ...below.spans]
  }
  return moved
}

/** True for a row in the left column that is larger than all rows above. */
function isHeading(row: readonly Span[], above: readonly Span[][], gutter: Gutter): boolean {
  return row.every(({ right }) => right <= gutter.right) && above.every((other) => sizeOf(row) > 1.15 * sizeOf(other))
}

/**
 * Splits off lines far above the rest in the right column, such as a page header: they precede both
 * columns.
 */
function splitRightHeader(band: Band, gutter: Gutter): Band[] {
  if (band.crosses) return [band]
  const rows = listRows(band.spans)
  const first = rows.findIndex((row) => row.some((span) => span.left < gutter.right))
  const [above, below] = [rows[first - 1], rows[first]]
  if (above === undefined || below === undefined || bottomOf(above) - topOf(below) < 2 * sizeOf(above)) return [band]
  return [rows.slice(0, first), rows.slice(first)].map((part) => ({ crosses: false, spans: part.flat() }))
}

/** Returns the two sides of a band if both are columns of text; `null` for cells of rows. */
function getColumns(spans: readonly Span[], gutter: Gutter): [Span[], Span[]] | null {
  const middle = (gutter.left + gutter.right) / 2
  const left = spans.filter((span) => span.left < middle)
  const right = spans.filter((span) => span.left >= middle)
  const rows = { left: listRows(left), right: listRows(right) }
  if (rows.left.length < 2 || rows.right.length < 2 || left.every((span) => BULLET.test(span.text))) return null
  if (areFieldLabels(rows.left, rows.right)) return null
  const isProse = looksLikeProse(rows.left) && looksLikeProse(rows.right)
  const runs = listSideRuns(spans, middle)
  const switches = runs.length - 1
  const lines = Math.min(rows.left.length, rows.right.length)
  // The file writes one column in full before the next or, in plain prose, alternates between them.
  const isWrittenByColumn = switches <= 1 + spans.length / 60
  const isWrittenByCell = switches > 3 && (switches < lines || areTableCells(runs))
  return isWrittenByColumn || (isProse && !isWrittenByCell) ? [left, right] : null
}

/** True when most rows on the right follow a field label that ends with a colon. */
function areFieldLabels(left: readonly Span[][], right: readonly Span[][]): boolean {
  const labels = left.filter((row) => row.at(-1)?.text.endsWith(':'))
  let next = 0
  const labelled = right.filter((row) => {
    while (isAbove(labels[next], row)) next += 1
    return isSameLine(labels[next], row)
  })
  return 3 * labelled.length >= 2 * right.length
}

function isAbove(above: readonly Span[] | undefined, row: readonly Span[]): boolean {
  return above !== undefined && !isSameLine(above, row) && (above[0]?.baseline ?? 0) > (row[0]?.baseline ?? 0)
}

function isSameLine([a]: readonly Span[] = [], [b]: readonly Span[] = []): boolean {
  return a !== undefined && b !== undefined && Math.abs(a.baseline - b.baseline) <= 0.5 * Math.min(a.size, b.size)
}

function looksLikeProse(rows: readonly Span[][]): boolean {
  const characters = rows.map((row) => row.reduce((total, { text }) => total + text.length, 0)).sort((a, b) => a - b)
  const cells = rows.reduce((total, row) => total + row.length, 0) / rows.length
  return (characters[characters.length >> 1] ?? 0) >= MIN_PROSE_CHARACTERS && cells < 2
}

type SideRun = { isLeft: boolean; spans: Span[] }

/** Runs of spans that the file writes on the same side. */
function listSideRuns(spans: readonly Span[], middle: number): SideRun[] {
  const runs: SideRun[] = []
  for (const span of [...spans].sort((a, b) => a.order - b.order)) {
    const isLeft = span.left < middle
    const last = runs.at(-1)
    if (last?.isLeft === isLeft) last.spans.push(span)
    else runs.push({ isLeft, spans: [span] })
  }
  return runs
}

/**
 * True for table rows with multi-line cells, each row written in full below the previous row.
 * Columns written line by line have runs of a single line.
 */
function areTableCells(runs: readonly SideRun[]): boolean {
  const isBelow = (run: SideRun, above: SideRun | undefined) =>
    above === undefined || topOf(run.spans) <= bottomOf(above.spans) + 0.5 * sizeOf(run.spans)
  if (!runs.every((run, at) => isBelow(run, runs[at - 2]) && (!run.isLeft || isBelow(run, runs[at - 1])))) return false
  const inner = runs.slice(1, -1)
  return [true, false].some((isLeft) => {
    const ofSide = inner.filter((run) => run.isLeft === isLeft)
    return 3 * ofSide.filter((run) => listRows(run.spans).length > 1).length > ofSide.length
  })
}

/** Groups spans into lines, top to bottom and left to right. */
export function listRows(spans: readonly Span[]): Span[][] {
  const rows: { baseline: number; size: number; spans: Span[] }[] = []
  for (const span of [...spans].sort((a, b) => b.baseline - a.baseline || a.left - b.left)) {
    const last = rows.at(-1)
    const isSame = last !== undefined && last.baseline - span.baseline <= 0.5 * Math.min(last.size, span.size)
    if (isSame) last.spans.push(span)
    else rows.push({ baseline: span.baseline, size: span.size, spans: [span] })
  }
  return rows.map((row) => row.spans.sort((a, b) => a.left - b.left))
}

function medianSize(spans: readonly Span[]): number {
  return spans.map((span) => span.size).sort((a, b) => a - b)[spans.length >> 1] ?? 1
}

function sizeOf(row: readonly Span[]): number {
  return row.reduce((max, { size }) => Math.max(max, size), 0)
}

function topOf(row: readonly Span[]): number {
  return row.reduce((max, { top }) => Math.max(max, top), -Infinity)
}

function bottomOf(row: readonly Span[]): number {
  return row.reduce((min, { bottom }) => Math.min(min, bottom), Infinity)
}
