import { composeReading, type Reading } from './compose-reading.ts'
import { eraseRules } from './erase-rules.ts'
import type { Table } from './find-tables.ts'
import { type GrayPage, openGray, readGray } from './gray-page.ts'
import { joinRows, readWords, type Word } from './join-rows.ts'
import { measureNoise, measureSpecks } from './measure-letters.ts'
import { IN_PLACE, type Placement, placeBox, placeScaled, placeTurned, type Size } from './placement.ts'
import { type PageSurvey, surveyPage } from './survey-page.ts'
import type { ReadingWay } from './tesseract-thread.ts'

/** What reads a prepared page once and gives the engine's TSV. */
export type ReadOnce = (page: GrayPage, way: ReadingWay) => Promise<string>

/** A page, and how much trouble is taken. `dpi` null: nobody knows. */
export type PageToRecognize = { page: GrayPage; dpi: number | null; mode: 'fast' | 'accurate' }

/** More pixels gain nothing and cost memory: 20 million are an A4 page at 450 dpi. */
const MAX_PAGE_PIXELS = 20_000_000
/** What the engine was trained on, and what small print is scaled to. */
const ACCURATE_DPI = 300
/** Height of small letters, in pixels, that is read well, and below which they are scaled to it: 8 points at 150 dpi have 8. */
const LETTER_PIXELS = { good: 16, least: 9 } as const
const MAX_SCALE = 3
/** A page scaled for its letters has no more: three large screens. Pictures without text are enlarged as well, and take as much longer. */
const MAX_SCALED_PIXELS = 6_000_000
/** The engine loses words of lines that lie far more askew, and drawn lines are hardly found that do. In degrees. */
const MAX_SKEW = 0.5
/** Below this a second pass may gain something. The same threshold that issue trackers of the engine name for doubtful pages. */
const DOUBTFUL = 0.8
/** Below this the page may stand on its head though it does not look it: pages upside down gave 0.28 to 0.5, most of them. */
const LOST = 0.55
/** So many words, believed or not, are lines of text; a picture without any gives fewer. */
const LINES_WORDS = 10

/**
 * Reads a page: `null` when it is blank. Every pass goes through `readOnce`; when that rejects after a first pass, what there is
 * counts. Boxes are those of the page as it was given.
 */
export async function recognizePage(given: PageToRecognize, readOnce: ReadOnce): Promise<Reading | null> {
  const page = await calm(given.page)
  const isWorn = page !== given.page
  const survey = await surveyPage(page)
  if (survey.isBlank) return null
  const passes = createPasses(readOnce, { bounds: page, light: survey.isUnevenlyLit ? 'uneven' : 'even' })
  const start = await prepare({ ...given, page }, survey, isWorn)
  await passes.read(start)
  try {
    await readAgain(start, { passes, survey, mode: given.mode })
  } catch {
    // The engine ended between two passes (time is up, most often): the best of the earlier ones stands.
  }
  return passes.best().reading
}

/** A good scan has 1 to 3, and needs nothing. In gray levels. */
const MIN_NOISE = 4
/** See `measureSpecks`. */
const MIN_SPECKS = 0.003

/**
 * Grain makes the engine read letters into empty paper: 43 s and nothing believable for a letter of 8 lines at 150 dpi with noise of
 * deviation 25, 0.2 s and no error for the same page smoothed so. The radius was found for deviations of 10 to 50. Specks are taken off one by one.
 */
async function calm(page: GrayPage): Promise<GrayPage> {
  const noise = measureNoise(page)
  if (noise >= MIN_NOISE) return smoothPage(page, 0.8 + noise / 40)
  return measureSpecks(page) < MIN_SPECKS ? page : despecklePage(page)
}

/**
 * Of a page whose grain was evened out the engine misses whole lines where they do not lie level: at 150 dpi and 1.5 degrees 23 % of the
 * characters, 1 % once it was straightened.
 */
async function prepare(
  { page, dpi, mode }: PageToRecognize,
  survey: PageSurvey,
  isWorn: boolean,
): Promise<PreparedPage> {
  const placed: PreparedPage = { page, placement: IN_PLACE, dpi, tables: [] }
  const dark = survey.isDark ? await invertPage(placed) : placed
  const { skewDegrees } = survey.findLines()
  const isLevel = Math.abs(skewDegrees) <= (isWorn ? 0 : MAX_SKEW)
  const level = isLevel ? dark : await turnPage(dark, skewDegrees)
  const large = await enlarge(level, survey, mode)
  const { paper, ink } = survey.shades
  const shades = survey.isDark ? { paper: 255 - paper, ink: 255 - ink } : { paper, ink }
  const letters = survey.findLetterHeight()
  const letterHeight = letters === null ? null : (letters * large.page.width) / level.page.width
  return { ...large, ...eraseRules(large.page, { ...shades, letterHeight }) }
}

/** Small print: as large as the engine was trained on in accurate mode, where the file says how small it is; else as its letters need. */
async function enlarge(
  prepared: PreparedPage,
  survey: PageSurvey,
  mode: PageToRecognize['mode'],
): Promise<PreparedPage> {
  const { dpi, page } = prepared
  const isKnown = mode === 'accurate' && dpi !== null && dpi < ACCURATE_DPI * 0.9
  if (isKnown) return scalePage(prepared, Math.min(ACCURATE_DPI / dpi, MAX_SCALE), MAX_PAGE_PIXELS)
  if (page.width * page.height > MAX_SCALED_PIXELS) return prepared
  const height = survey.findLetterHeight() ?? LETTER_PIXELS.good
  const factor = height < LETTER_PIXELS.least ? LETTER_PIXELS.good / height : 1
  return scalePage(prepared, Math.min(factor, MAX_SCALE), MAX_SCALED_PIXELS)
}

type Pass = { prepared: PreparedPage; reading: Reading; words: readonly Word[] }
type Passes = { read(prepared: PreparedPage, layout?: ReadingWay['layout']): Promise<Pass>; best(): Pass }

/** Every pass, the best kept: the one with most text that is believed. */
function createPasses(readOnce: ReadOnce, { bounds, light }: { bounds: Size; light: ReadingWay['light'] }): Passes {
  let best: Pass | null = null
  return {
    read: async (prepared, layout = isTable(prepared) ? 'column' : 'auto') => {
      const words = joinRows(readWords(await readOnce(prepared.page, { layout, light })), prepared.tables)
      const placed = words.map((word) => ({ ...word, box: placeBox(prepared.placement, word.box, bounds) }))
      const pass = { prepared, reading: composeReading(placed), words }
      if (best === null || isBetter(pass, best)) best = pass
      return pass
    },
    best: () => {
      if (best === null) throw new Error('no pass was made')
      return best
    },
  }
}

/** Beside a table there may be columns of text. */
const MIN_TABLE = 0.4

function isTable({ page, tables }: PreparedPage): boolean {
  const pixels = tables.reduce((sum, { box: [, , width, height] }) => sum + width * height, 0)
  return pixels > MIN_TABLE * page.width * page.height
}

function isBetter(pass: Pass, best: Pass): boolean {
  return best.words.length === 0 || pass.reading.weight > best.reading.weight
}

async function readAgain(
  start: PreparedPage,
  { passes, survey, mode }: { passes: Passes; survey: PageSurvey; mode: 'fast' | 'accurate' },
): Promise<void> {
  const isAccurate = mode === 'accurate'
  // There is something on it, but nothing that looks like a layout: a word or two, alone.
  if (passes.best().words.length === 0) await passes.read(start, 'block')
  if (isDoubtful(passes, DOUBTFUL)) await readTurned(start, { passes, survey, isAccurate })
  if (isAccurate && isDoubtful(passes, DOUBTFUL)) await readCleaned(passes)
}

function isDoubtful(passes: Passes, threshold: number): boolean {
  const { reading } = passes.best()
  return reading.hasNonsense || reading.confidence < threshold
}

/**
 * Lying on its side or standing on its head. In fast mode only where the page looks it, or has lines of which nothing is read, and the other side only where
 * the first had words, which may have stood on their heads: pictures without text are frequent, turned pages are rare.
 */
async function readTurned(
  start: PreparedPage,
  { passes, survey, isAccurate }: { passes: Passes; survey: PageSurvey; isAccurate: boolean },
): Promise<void> {
  const { turns, hasLines } = survey.findLines()
  const mayBeLost = (isAccurate || hasLines) && turns.length === 0 && isDoubtful(passes, LOST)
  const likely = mayBeLost ? [180] : turns
  for (const degrees of likely) {
    const { words } = await passes.read(await turnPage(start, degrees))
    if (!isDoubtful(passes, DOUBTFUL) || (!isAccurate && words.length < LINES_WORDS)) return
  }
}

/** Without noise, and straight. */
async function readCleaned(passes: Passes): Promise<void> {
  const { prepared } = passes.best()
  const cleaned = { ...prepared, page: await despecklePage(prepared.page) }
  const { skewDegrees } = (await surveyPage(cleaned.page)).findLines()
  await passes.read(skewDegrees === 0 ? cleaned : await turnPage(cleaned, skewDegrees))
}

/** A page made ready for the engine, how to find its places in the picture again, and its tables in places of its own. */
type PreparedPage = { page: GrayPage; placement: Placement; dpi: number | null; tables: readonly Table[] }

/** Times `factor`, but to no more than `maxPixels`; the page itself where that changes nothing. Its tables are no more known. */
async function scalePage(prepared: PreparedPage, factor: number, maxPixels: number): Promise<PreparedPage> {
  const { page, placement, dpi } = prepared
  const allowed = Math.min(factor, Math.sqrt(maxPixels / (page.width * page.height)))
  if (Math.abs(allowed - 1) < 0.01) return prepared
  const width = Math.max(1, Math.round(page.width * allowed))
  const height = Math.max(1, Math.round(page.height * allowed))
  const scaled = await readGray(openGray(page).resize(width, height, { fit: 'fill', kernel: 'cubic' }))
  return {
    page: scaled,
    placement: placeScaled(placement, page, scaled),
    dpi: dpi === null ? null : Math.round(dpi * allowed),
    tables: [],
  }
}

/** Turned clockwise by any angle; what comes into the corners is white. Its tables are no more known. */
async function turnPage({ page, placement, dpi }: PreparedPage, degrees: number): Promise<PreparedPage> {
  const turned = await readGray(openGray(page).rotate(degrees, { background: '#fff' }))
  return { page: turned, placement: placeTurned(placement, degrees, { from: page, to: turned }), dpi, tables: [] }
}

/** Without grain; `sigma` is the radius in pixels over which it is evened out. */
async function smoothPage(page: GrayPage, sigma: number): Promise<GrayPage> {
  return await readGray(openGray(page).blur(sigma))
}

/** Without the single dark and light pixels that a scanner adds. */
async function despecklePage(page: GrayPage): Promise<GrayPage> {
  return await readGray(openGray(page).median(3))
}

/** Light on dark made dark on light. */
async function invertPage(prepared: PreparedPage): Promise<PreparedPage> {
  return { ...prepared, page: await readGray(openGray(prepared.page).negate()) }
}
