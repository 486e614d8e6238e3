import { findTables, type Rule, type Table } from './find-tables.ts'
import type { GrayPage } from './gray-page.ts'
import { medianOf } from './join-rows.ts'

/**
 * Minimum length of a rule: in pixels, and as a share of the shorter side of the page. Vertically
 * only very large letters are as long. Horizontally, words of Devanagari hang on their own lines.
 */
const MIN_LENGTH = { across: { pixels: 120, share: 1 / 6 }, down: { pixels: 80, share: 1 / 16 } } as const
/** A horizontal rule is also at least this many letter heights long. */
const MIN_LETTERS = 8
/** Maximum thickness of a rule: in pixels, and as a share of the shorter side. */
const MAX_THICKNESS = { pixels: 8, share: 1 / 200 } as const
/** Pixels darker than a rule by this many gray levels are letters on the rule. */
const DARKER = 50
/**
 * Pixels closer to the paper than this share of the distance to the ink are the soft edge of a
 * rule, or nothing.
 */
const MIN_DARKNESS = 0.25

/** Letters cover a rule in places, not along most of it. */
const MIN_THIN = 0.6
/** Points of a run to sample first. By chance, fewer of the sample are thin than of all points. */
const PROBES = 24
const MIN_PROBES = 0.6

/** Gray levels of paper and ink of a page. */
export type Shades = { paper: number; ink: number }

/** `letterHeight` is in pixels; `null` if unknown. */
type TextShades = Shades & { letterHeight: number | null }

/**
 * Removes lines drawn around and under the text of a page (dark on light): table and form lines,
 * and ruled paper. A letter on a rule stays, together with that part of the rule. Returns the same
 * page if there is no rule. `tables`: places where rules cross like table lines.
 */
export function eraseRules(
  page: GrayPage,
  { paper, ink, letterHeight }: TextShades,
): { page: GrayPage; tables: Table[] } {
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
  const rows = eraseAlong({ data, ...across }, { ...bounds, length }, erased)
  // Without the rows, columns are thin at the crossings, too.
  const columns = eraseAlong({ data, ...down }, { ...bounds, length: lengthOf(MIN_LENGTH.down) }, erased)
  if (rows.length + columns.length === 0) return { page, tables: [] }
  return { page: { ...page, data: erased }, tables: findTables({ rows, columns, reach: bounds.thickness }) }
}

/**
 * The pixels of a page with the distance in `data` to the next line and to the next point of a
 * line.
 */
type Raster = { data: Uint8Array; lines: number; points: number; lineStep: number; pointStep: number }
type Bounds = { length: number; thickness: number; lightest: number }

/** Erases the rules along these lines from `erased`, and returns them. */
function eraseAlong(drawn: Raster, bounds: Bounds, erased: Uint8Array): Rule[] {
  const rules: Rule[] = []
  const raster = { ...drawn, data: Uint8Array.from(erased) }
  for (const run of listRuns(drawn, bounds)) {
    // A sample of points identifies a dark background.
    if (listCuts(raster, run, { ...bounds, probes: PROBES }).length < PROBES * MIN_THIN * MIN_PROBES) continue
    const cuts = listCuts(raster, run, { ...bounds, probes: run.to - run.from })
    // Between two lines of light letters, the dark background is thin in places, too.
    if (cuts.length < (run.to - run.from) * MIN_THIN) continue
    const shade = medianOf(cuts.map(({ shade }) => shade))
    for (const cut of cuts) {
      // Two gray rules are darker where they cross. Letters end a row.
      const darkest = isCrossing(drawn, raster, { ...cut, lightest: bounds.lightest }) ? 0 : shade - DARKER
      eraseCut(raster, { ...cut, darkest }, erased)
    }
    rules.push(run)
  }
  return rules
}

/** Runs of dark pixels of sufficient length. */
function* listRuns(raster: Raster, { length, lightest }: Bounds): Generator<Rule> {
  const { data, lines, points, lineStep, pointStep } = raster
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

/** Cuts of a dark run that are no thicker than a rule, at `probes` of its points. */
function listCuts(
  { data, lines, lineStep, pointStep }: Raster,
  run: Rule,
  { thickness, lightest, probes }: Bounds & { probes: number },
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

/** True if a rule across was erased beside the cut. */
function isCrossing(
  drawn: Raster,
  { data, lines, lineStep }: Raster,
  { offset, first, last, lightest }: Cut & { lightest: number },
): boolean {
  return [first - 2, last + 2].some((at) => {
    const place = at * lineStep + offset
    return at >= 0 && at < lines && (drawn.data[place] ?? 0) < lightest && (data[place] ?? 0) >= lightest
  })
}

/** The pixel next to a rule may belong to it in half. */
function eraseCut({ data, lines, lineStep }: Raster, cut: Cut & { darkest: number }, erased: Uint8Array): void {
  const shadeAt = (at: number) => (at >= 0 && at < lines ? (data[at * lineStep + cut.offset] ?? 0) : 0)
  const paper = Math.max(shadeAt(cut.first - 2), shadeAt(cut.last + 2))
  for (let at = Math.max(0, cut.first - 1); at <= Math.min(lines - 1, cut.last + 1); at += 1)
    if (shadeAt(at) >= cut.darkest) erased[at * lineStep + cut.offset] = paper
}
