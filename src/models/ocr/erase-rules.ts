import { findTables, type Rule, type Table } from './find-tables.ts'
import type { GrayPage } from './gray-page.ts'

/**
 * A rule is longer than what letters have: so many pixels, and this share of the page's shorter side. Down the page nothing but a very large letter is as
 * long; across it, words of Devanagari hang on lines of their own.
 */
const MIN_LENGTH = { across: { pixels: 120, share: 1 / 6 }, down: { pixels: 80, share: 1 / 16 } } as const
/** Across the page it is also so many times as long as letters are high. */
const MIN_LETTERS = 8
/** And no thicker: so many pixels, and this share of that side. */
const MAX_THICKNESS = { pixels: 8, share: 1 / 200 } as const
/** What is so much darker than a rule is a letter upon it, in gray levels. */
const DARKER = 50
/** What is nearer to the paper than this share of the way to the ink is the soft edge of a rule, or nothing. */
const MIN_DARKNESS = 0.25

/** Letters lie on a rule in places, not on most of it. */
const MIN_THIN = 0.6
/** So many points of a run are looked at first; by chance fewer of them are thin than of all. */
const PROBES = 24
const MIN_PROBES = 0.6

/** What a page was written with, in gray levels. */
export type Shades = { paper: number; ink: number }

/** What is known of a page: `letterHeight` in pixels, `null` where nobody knows. */
type Written = Shades & { letterHeight: number | null }

/**
 * A page, dark on light, without the lines that are drawn around and under its text: those of tables and forms, and ruled paper. Where a letter lies on
 * one, both stay. The page itself where there is none. `tables`: where the lines cross as those of a table do.
 */
export function eraseRules(page: GrayPage, { paper, ink, letterHeight }: Written): { page: GrayPage; tables: Table[] } {
  const { data, width, height } = page
  const side = Math.min(width, height)
  const bounds = {
    thickness: Math.max(MAX_THICKNESS.pixels, Math.round(side * MAX_THICKNESS.share)),
    lightest: paper - (paper - ink) * MIN_DARKNESS,
  }
  const lengthOf = ({ pixels, share }: { pixels: number; share: number }) => Math.max(pixels, Math.round(side * share))
  const erased = Uint8Array.from(data)
  const across = { lines: height, points: width, lineStep: width, pointStep: 1 }
  const down = { lines: width, points: height, lineStep: 1, pointStep: width }
  const length = Math.max(lengthOf(MIN_LENGTH.across), MIN_LETTERS * (letterHeight ?? 0))
  const rows = eraseAlong(data, erased, across, { ...bounds, length })
  const columns = eraseAlong(data, erased, down, { ...bounds, length: lengthOf(MIN_LENGTH.down) })
  if (rows.length + columns.length === 0) return { page, tables: [] }
  return { page: { ...page, data: erased }, tables: findTables({ rows, columns, reach: bounds.thickness }) }
}

/** How the pixels of a page are gone through: how far it is to the next line, and to the next point of a line. */
type Raster = { lines: number; points: number; lineStep: number; pointStep: number }
type Bounds = { length: number; thickness: number; lightest: number }

/** Takes the rules that lie along these lines off `erased`, and gives them. */
function eraseAlong(data: Uint8Array, erased: Uint8Array, raster: Raster, bounds: Bounds): Rule[] {
  const rules: Rule[] = []
  for (const run of listRuns(data, raster, bounds)) {
    // A dark ground is told by a look at a few of its points.
    if (listCuts(data, raster, run, bounds, PROBES).length < PROBES * MIN_THIN * MIN_PROBES) continue
    const cuts = listCuts(data, raster, run, bounds)
    // Between two lines of light letters the dark is thin as well, here and there.
    if (cuts.length < (run.to - run.from) * MIN_THIN) continue
    const shade = medianOf(cuts.map(({ shade }) => shade))
    for (const cut of cuts) eraseCut(data, erased, raster, { ...cut, shade })
    rules.push(run)
  }
  return rules
}

/** Dark pixels in a row that are long enough. */
function* listRuns(data: Uint8Array, raster: Raster, { length, lightest }: Bounds): Generator<Rule> {
  const { lines, points, lineStep, pointStep } = raster
  for (let line = 0; line < lines; line += 1) {
    let from = 0
    for (let to = 0; to <= points; to += 1) {
      if (to < points && (data[line * lineStep + to * pointStep] ?? 0) < lightest) continue
      if (to - from >= length) yield { line, from, to }
      from = to + 1
    }
  }
}

/** The dark pixels across a rule at one of its points, and the shade of that point. */
type Cut = { offset: number; first: number; last: number; shade: number }

/** Those of a dark run that are no thicker than a rule; at all of its points, or at so many of them. */
function listCuts(
  data: Uint8Array,
  { lines, lineStep, pointStep }: Raster,
  run: Rule,
  { thickness, lightest }: Bounds,
  probes = run.to - run.from,
): Cut[] {
  const cuts: Cut[] = []
  for (let probe = 0; probe < probes; probe += 1) {
    const point = run.from + Math.floor((probe * (run.to - run.from)) / probes)
    const offset = point * pointStep
    const isDark = (at: number) => at >= 0 && at < lines && (data[at * lineStep + offset] ?? 0) < lightest
    let [first, last] = [run.line, run.line]
    while (last - first < thickness && isDark(first - 1)) first -= 1
    while (last - first < thickness && isDark(last + 1)) last += 1
    if (last - first < thickness) cuts.push({ offset, first, last, shade: data[run.line * lineStep + offset] ?? 0 })
  }
  return cuts
}

/** The pixel beside a rule may be half of it. */
function eraseCut(data: Uint8Array, erased: Uint8Array, { lines, lineStep }: Raster, cut: Cut): void {
  const shadeAt = (at: number) => (at >= 0 && at < lines ? (data[at * lineStep + cut.offset] ?? 0) : 0)
  const paper = Math.max(shadeAt(cut.first - 2), shadeAt(cut.last + 2))
  for (let at = Math.max(0, cut.first - 1); at <= Math.min(lines - 1, cut.last + 1); at += 1)
    if (shadeAt(at) >= cut.shade - DARKER) erased[at * lineStep + cut.offset] = paper
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
