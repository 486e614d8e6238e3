import { composeReading, type Reading } from './compose-reading.ts'
import { eraseRules } from './erase-rules.ts'
import { type GrayPage, openGray, readGray } from './gray-page.ts'
import type { Word } from './join-rows.ts'
import { measureNoise, measureSpecks } from './measure-letters.ts'
import { IN_PLACE, type Placement, placeBox, placeScaled, placeTurned, type Size } from './placement.ts'
import { type PageLayout, type ReadOnce, readLayout } from './read-layout.ts'
import { type PageSurvey, surveyPage } from './survey-page.ts'
import type { ReadingWay } from './tesseract-thread.ts'

/** A page and its mode. `dpi` is null if unknown. */
export type PageToRecognize = { page: GrayPage; dpi: number | null; mode: 'fast' | 'accurate' }

/** More pixels gain nothing and cost memory: 20 million are an A4 page at 450 dpi. */
const MAX_PAGE_PIXELS = 20_000_000
/** The resolution the engine was trained on, and the target for small print. */
const ACCURATE_DPI = 300
/**
 * x-height in pixels: `good` is read well, and pages below `min` are scaled up to it. 8 points at
 * 150 dpi have 8.
 */
const LETTER_PIXELS = { good: 16, min: 9 } as const
const MAX_SCALE = 3
/**
 * Limit for a page scaled by its letters: three large screens. Pictures without text are enlarged
 * as well, and take longer in proportion.
 */
const MAX_SCALED_PIXELS = 6_000_000
/** Maximum skew in degrees. Beyond it, the engine loses words, and drawn lines are hardly found. */
const MAX_SKEW = 0.2
/**
 * Below this a second pass may help: the threshold for doubtful pages in the engine's issue
 * tracker.
 */
const DOUBTFUL = 0.8
/** Below this the page may be upside down without looking so: most such pages gave 0.28 to 0.5. */
const LOST = 0.55
/** A second pass over so few words costs little. */
const FEW_WORDS = 40
/** This many words, plausible or not, mean lines of text; a picture without text gives fewer. */
const LINES_WORDS = 10

/**
 * Reads a page; `null` if blank. Every pass calls `readOnce`. If that rejects after the first pass,
 * the result so far counts. Boxes refer to the original page.
 */
export async function recognizePage(input: PageToRecognize, readOnce: ReadOnce): Promise<Reading | null> {
  const page = await calm(input.page)
  const isWorn = page !== input.page
  const survey = await surveyPage(page)
  if (survey.isBlank) return null
  const passes = createPasses(readOnce, { bounds: page, light: survey.isUnevenlyLit ? 'uneven' : 'even' })
  const start = await prepare({ ...input, page }, survey, isWorn)
  const { isOnSide, turns } = survey.findLines()
  await passes.read(isOnSide ? await turnPage(start, turns[0] ?? 0) : start)
  try {
    await readAgain(start, { passes, survey, mode: input.mode })
  } catch {
    // The engine ended between two passes, usually by timeout: keep the best result so far.
  }
  return passes.best().reading
}

/** In gray levels. A good scan has 1 to 3, and needs no smoothing. */
const MIN_NOISE = 4
/** See `measureSpecks`. */
const MIN_SPECKS = 0.003

/**
 * Grain makes the engine read letters on empty paper. A letter of 8 lines at 150 dpi with noise of
 * deviation 25 took 43 s with no plausible text. Smoothed, the page took 0.2 s without an error.
 * The radius was found for deviations of 10 to 50. Specks are removed one by one.
 */
async function calm(page: GrayPage): Promise<GrayPage> {
  const noise = measureNoise(page)
  if (noise >= MIN_NOISE) return smoothPage(page, 0.8 + noise / 40)
  return measureSpecks(page) < MIN_SPECKS ? page : despecklePage(page)
}

/**
 * On a smoothed page, the engine misses whole skewed lines: 23 % of the characters at 150 dpi and
 * 1.5 degrees, and 1 % after straightening.
 */
async function prepare(
  { page, dpi, mode }: PageToRecognize,
  survey: PageSurvey,
  isWorn: boolean,
): Promise<PreparedPage> {
  const placed: PreparedPage = { page, placement: IN_PLACE, dpi, tables: [], letterHeight: null, threshold: 0 }
  const dark = survey.isDark ? await invertPage(placed) : placed
  const { skewDegrees } = survey.findLines()
  const isLevel = Math.abs(skewDegrees) <= (isWorn ? 0 : MAX_SKEW)
  const level = isLevel ? dark : await turnPage(dark, skewDegrees)
  const large = await enlarge(level, survey, mode)
  const { paper, ink } = survey.shades
  const shades = survey.isDark ? { paper: 255 - paper, ink: 255 - ink } : { paper, ink }
  const letters = survey.findLetterHeight()
  const letterHeight = letters === null ? null : (letters * large.page.width) / level.page.width
  const threshold = (shades.paper + shades.ink) / 2
  return { ...large, ...eraseRules(large.page, { ...shades, letterHeight }), letterHeight, threshold }
}

/**
 * Enlarges small print: to the engine's training resolution in accurate mode with known dpi, else
 * by the height of the letters.
 */
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
  const factor = height < LETTER_PIXELS.min ? LETTER_PIXELS.good / height : 1
  return scalePage(prepared, Math.min(factor, MAX_SCALE), MAX_SCALED_PIXELS)
}

type Pass = { prepared: PreparedPage; reading: Reading; words: readonly Word[] }
type Passes = { read(prepared: PreparedPage, layout?: 'block'): Promise<Pass>; best(): Pass }

/** Runs passes and keeps the best: the pass with most plausible text. */
function createPasses(readOnce: ReadOnce, { bounds, light }: { bounds: Size; light: ReadingWay['light'] }): Passes {
  let best: Pass | null = null
  return {
    read: async (prepared, layout) => {
      const { words, unread } = await readLayout(prepared, { readOnce, light, isBlock: layout === 'block' })
      const placed = words.map((word) => ({ ...word, box: placeBox(prepared.placement, word.box, bounds) }))
      const pass = { prepared, reading: { ...composeReading(placed), unread }, words }
      if (best === null || isBetter(pass, best)) best = pass
      return pass
    },
    best: () => {
      if (best === null) throw new Error('no pass was made')
      return best
    },
  }
}

function isBetter(pass: Pass, best: Pass): boolean {
  return best.words.length === 0 || pass.reading.weight > best.reading.weight
}

async function readAgain(
  start: PreparedPage,
  { passes, survey, mode }: { passes: Passes; survey: PageSurvey; mode: 'fast' | 'accurate' },
): Promise<void> {
  const isAccurate = mode === 'accurate'
  // There is ink but no layout: a word or two, isolated.
  if (passes.best().words.length === 0) await passes.read(start, 'block')
  if (isDoubtful(passes, DOUBTFUL) || isFew(passes, survey)) await readTurned(start, { passes, survey, isAccurate })
  if (isAccurate && isDoubtful(passes, DOUBTFUL)) await readCleaned(passes)
}

/** Few lines on their side may be upside down, and look like words all the same. */
function isFew(passes: Passes, survey: PageSurvey): boolean {
  return survey.findLines().isOnSide && passes.best().words.length < FEW_WORDS
}

function isDoubtful(passes: Passes, threshold: number): boolean {
  const { reading } = passes.best()
  return reading.hasNonsense || reading.confidence < threshold
}

/**
 * Tries rotated pages. Fast mode tries only if the page looks rotated or its lines give no text.
 * The opposite direction follows only if the first gave words. Pictures without text are frequent,
 * rotated pages are rare.
 */
async function readTurned(
  start: PreparedPage,
  { passes, survey, isAccurate }: { passes: Passes; survey: PageSurvey; isAccurate: boolean },
): Promise<void> {
  const { turns, hasLines, isOnSide } = survey.findLines()
  const mayBeLost = (isAccurate || hasLines) && turns.length === 0 && isDoubtful(passes, LOST)
  const others = isOnSide ? [...turns.slice(1), 0] : turns
  const likely = mayBeLost ? [180] : others
  for (const degrees of likely) {
    const { words } = await passes.read(await turnPage(start, degrees))
    if (!isDoubtful(passes, DOUBTFUL) || (!isAccurate && words.length < LINES_WORDS)) return
  }
}

/** Reads the page without noise and skew. */
async function readCleaned(passes: Passes): Promise<void> {
  const { prepared } = passes.best()
  const cleaned = { ...prepared, page: await despecklePage(prepared.page) }
  const { skewDegrees } = (await surveyPage(cleaned.page)).findLines()
  await passes.read(skewDegrees === 0 ? cleaned : await turnPage(cleaned, skewDegrees))
}

/** A prepared page, its mapping to the original picture, and its layout in page coordinates. */
type PreparedPage = PageLayout & { placement: Placement; dpi: number | null }

/**
 * Scales by `factor`, limited to `maxPixels`. Returns the same page if nothing changes. Loses the
 * tables.
 */
async function scalePage(prepared: PreparedPage, factor: number, maxPixels: number): Promise<PreparedPage> {
  const { page, placement, dpi } = prepared
  const allowed = Math.min(factor, Math.sqrt(maxPixels / (page.width * page.height)))
  if (Math.abs(allowed - 1) < 0.01) return prepared
  const width = Math.max(1, Math.round(page.width * allowed))
  const height = Math.max(1, Math.round(page.height * allowed))
  const scaled = await readGray(openGray(page).resize(width, height, { fit: 'fill', kernel: 'cubic' }))
  return {
    ...prepared,
    page: scaled,
    placement: placeScaled(placement, page, scaled),
    dpi: dpi === null ? null : Math.round(dpi * allowed),
    tables: [],
  }
}

/** Rotates clockwise by any angle; new corners are white. Loses the tables. */
async function turnPage(prepared: PreparedPage, degrees: number): Promise<PreparedPage> {
  const { page, placement } = prepared
  const turned = await readGray(openGray(page).rotate(degrees, { background: '#fff' }))
  return {
    ...prepared,
    page: turned,
    placement: placeTurned(placement, degrees, { from: page, to: turned }),
    tables: [],
  }
}

/** Removes grain; `sigma` is the smoothing radius in pixels. */
async function smoothPage(page: GrayPage, sigma: number): Promise<GrayPage> {
  return await readGray(openGray(page).blur(sigma))
}

/** Removes the single dark and light pixels that a scanner adds. */
async function despecklePage(page: GrayPage): Promise<GrayPage> {
  return await readGray(openGray(page).median(3))
}

/** Inverts light on dark. */
async function invertPage(prepared: PreparedPage): Promise<PreparedPage> {
  return { ...prepared, page: await readGray(openGray(prepared.page).negate()) }
}
