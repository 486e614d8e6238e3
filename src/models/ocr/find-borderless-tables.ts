import { medianOf } from './join-rows.ts'
import type { Segment } from './list-segments.ts'
import type { Box } from './placement.ts'

type Gap = { from: number; to: number }
/** Segments with overlapping heights: a row of a table, or unaligned lines of columns. */
type Band = { segments: Segment[]; top: number; bottom: number }
/** Consecutive bands with their common gaps, the gutters between columns. */
type Run = { bands: Band[]; gutters: Gap[] }

/** Minimum width of a gutter, in letter heights. */
const MIN_GUTTER = 1.2
/** Height of a space after a table: in letter heights, and as a multiple of the usual space. */
const MAX_SPACE = { letters: 4, ratio: 2.2 } as const
/** Fewer rows may be anything. */
const MIN_ROWS = 3
/** Minimum length of lines of prose in letter heights, and minimum share of the column. */
const PROSE = { letters: 14, fill: 0.72 } as const
/** Minimum share of cells with another cell in the same row. */
const MIN_ALIGNED = 0.7
/** Vertical distance of the lower edges of cells in a row, in letter heights: a descender. */
const ALIGNED = 0.8
/** Height of a line without ascenders and descenders, in letter heights. */
const LINE = 0.8
/** A page full of small print has fewer. */
const MAX_SEGMENTS = 3_000

/** The box of a table, and the middles of the gutters between its columns, in pixels. */
export type BorderlessTable = { box: Box; gutters: number[] }

/**
 * Finds tables by the position of the text: short texts in rows, with white gutters between the
 * columns. Columns of prose are not tables, but may contain some.
 */
export function findBorderlessTables(segments: readonly Segment[], letterHeight: number): BorderlessTable[] {
  if (segments.length > MAX_SEGMENTS) return []
  return listRuns(listBands(segments, letterHeight), letterHeight).flatMap((run) => {
    const columns = splitColumns(run)
    if (isTable(columns, letterHeight))
      return [{ box: surround(columns.flat()), gutters: run.gutters.map(({ from, to }) => (from + to) / 2) }]
    const inner = columns.filter((column) => column.length < segments.length)
    return inner.flatMap((column) => findBorderlessTables(column, letterHeight))
  })
}

function surround(segments: readonly Segment[]): Box {
  const [left, right] = [Math.min(...segments.map((one) => one.left)), Math.max(...segments.map((one) => one.right))]
  const [top, bottom] = [Math.min(...segments.map((one) => one.top)), Math.max(...segments.map((one) => one.bottom))]
  return [left, top, right - left, bottom - top]
}

/** Groups segments from top to bottom. Their heights are reduced to that of small letters. */
function listBands(segments: readonly Segment[], letterHeight: number): Band[] {
  const bands: Band[] = []
  for (const segment of segments.toSorted((one, other) => middleOf(one) - middleOf(other))) {
    const half = (Math.min(segment.bottom - segment.top, letterHeight) * LINE) / 2
    const [top, bottom] = [middleOf(segment) - half, middleOf(segment) + half]
    const last = bands.at(-1)
    if (last === undefined || top >= last.bottom) bands.push({ segments: [segment], top, bottom })
    else {
      last.segments.push(segment)
      last.bottom = Math.max(last.bottom, bottom)
    }
  }
  return bands
}

function middleOf({ top, bottom }: Segment): number {
  return (top + bottom) / 2
}

/** Lists runs with at least one gutter. A row may consist of a single text beside a gutter. */
function listRuns(bands: readonly Band[], letterHeight: number): Run[] {
  const runs: Run[] = []
  for (const [at, band] of bands.entries()) {
    const run = runs.at(-1)
    const isNext = run !== undefined && bands[at - 1] === run.bands.at(-1)
    const common = isNext && !isApart(run, band, letterHeight) ? keepFree(run.gutters, band, letterHeight) : []
    if (run !== undefined && common.length > 0) {
      run.bands.push(band)
      run.gutters = common
      continue
    }
    const gutters = listGaps(band.segments, letterHeight)
    if (gutters.length > 0) runs.push({ bands: [band], gutters })
  }
  return runs.map(trimEnd).filter(hasRows)
}

/** Drops single texts after the table. */
function trimEnd({ bands, gutters }: Run): Run {
  const last = bands.findLastIndex(({ segments }) => segments.length > 1)
  return { bands: bands.slice(0, last + 1), gutters }
}

function hasRows(run: Run): boolean {
  return splitColumns(run).filter((column) => column.length >= MIN_ROWS).length > 1
}

function listGaps(segments: readonly Segment[], letterHeight: number): Gap[] {
  const gaps: Gap[] = []
  let reached = Number.POSITIVE_INFINITY
  for (const { left, right } of segments.toSorted((one, other) => one.left - other.left)) {
    if (left - reached >= MIN_GUTTER * letterHeight) gaps.push({ from: reached, to: left })
    reached = reached === Number.POSITIVE_INFINITY ? right : Math.max(reached, right)
  }
  return gaps
}

/** Returns the free parts of the gaps beside a band, if wide enough. */
function keepFree(gaps: readonly Gap[], { segments }: Band, letterHeight: number): Gap[] {
  let free = [...gaps]
  for (const { left, right } of segments) {
    const parts = free.flatMap(({ from, to }) => [
      { from, to: Math.min(to, left) },
      { from: Math.max(from, right), to },
    ])
    free = parts.filter(({ from, to }) => to - from >= MIN_GUTTER * letterHeight)
  }
  return free
}

function isApart({ bands }: Run, band: Band, letterHeight: number): boolean {
  const space = band.top - (bands.at(-1)?.bottom ?? 0)
  if (space <= MAX_SPACE.letters * letterHeight) return false
  const spaces = bands.slice(1).map(({ top }, at) => top - (bands[at]?.bottom ?? 0))
  return spaces.length === 0 || space > MAX_SPACE.ratio * medianOf(spaces)
}

function splitColumns({ bands, gutters }: Run): Segment[][] {
  const columns: Segment[][] = Array.from({ length: gutters.length + 1 }, () => [])
  for (const segment of bands.flatMap(({ segments }) => segments)) {
    const middle = (segment.left + segment.right) / 2
    columns[gutters.filter(({ from }) => from < middle).length]?.push(segment)
  }
  return columns.filter((column) => column.length > 0)
}

/** True if some columns are not prose, and their texts are beside texts of other columns. */
function isTable(columns: readonly Segment[][], letterHeight: number): boolean {
  const short = columns.filter((column) => !isProse(column, letterHeight))
  if (columns.length < 2 || short.length === 0) return false
  const cells = short.flat()
  const aligned = short.flatMap((column) => {
    const others = columns.filter((other) => other !== column).flat()
    return column.filter((cell) =>
      others.some((other) => Math.abs(other.bottom - cell.bottom) < ALIGNED * letterHeight),
    )
  })
  return aligned.length >= MIN_ALIGNED * cells.length
}

function isProse(column: readonly Segment[], letterHeight: number): boolean {
  const lines = listBands(column, letterHeight).map(({ segments }) => surround(segments)[2])
  const length = medianOf(lines)
  return length >= PROSE.letters * letterHeight && length >= PROSE.fill * surround(column)[2]
}
