import type { Shades } from './erase-rules.ts'
import { type GrayPage, openGray, readGray } from './gray-page.ts'
import { countNeighbors, measureLetters } from './measure-letters.ts'

/** Properties of a page found without reading it. */
export type PageSurvey = {
  /** True if the page is empty except for noise and specks. */
  isBlank: boolean
  /** True for light text on a dark background. */
  isDark: boolean
  /** Median shade of the page, and the strongest ink in most cells with ink. */
  shades: Shades
  /** See `isUnevenlyLit`. */
  isUnevenlyLit: boolean
  /** Position of the lines of text, computed on demand; takes about as long as the rest. */
  findLines(): PageLines
  /** Height of letters, see `measureLetters`; computed on demand. */
  findLetterHeight(): number | null
}

/** Orientation of the lines of text on a page. */
type PageLines = {
  /** Clockwise rotation in degrees that levels the lines; 0 if level or unknown. */
  skewDegrees: number
  /**
   * Clockwise rotations that may set the page upright, most likely first; empty if the page looks
   * upright.
   */
  turns: number[]
  /** True if the rows look much more like lines of text than the columns. */
  hasLines: boolean
  /** True if the letters themselves follow each other downwards: the page lies on its side. */
  isOnSide: boolean
}

/** Maximum size of the survey: letters of 10 points are still 10 pixels high on an A4 page. */
const SURVEY_PIXELS = 1_400_000
/** Blur that removes the noise of single pixels but keeps letters. */
const NOISE_SIGMA = 1

/** Surveys a page: about 50 ms for A4 at 300 dpi. */
export async function surveyPage(page: GrayPage): Promise<PageSurvey> {
  const factor = Math.min(1, Math.sqrt(SURVEY_PIXELS / (page.width * page.height)))
  const width = Math.max(1, Math.round(page.width * factor))
  const height = Math.max(1, Math.round(page.height * factor))
  const small = await readGray(openGray(page).resize(width, height, { fit: 'fill' }))
  const calm = await readGray(openGray(small).blur(NOISE_SIGMA))
  const cells = listCells(calm)
  const isDark = looksDark(calm, cells)
  const shades = { paper: medianOf(calm.data), ink: findInkShade(cells, isDark) }
  const threshold = (shades.paper + shades.ink) / 2
  const isInk = (value: number) => (isDark ? value > threshold : value < threshold)
  let lines: PageLines | null = null
  return {
    isBlank: isBlank(calm),
    isDark,
    shades,
    isUnevenlyLit: isUnevenlyLit(cells),
    findLines: () => {
      lines ??= findLines(findInk(calm, cells, isDark), countNeighbors(small, isInk))
      return lines
    },
    findLetterHeight: () => {
      const letters = measureLetters(small, isInk)
      return letters === null ? null : letters / factor
    },
  }
}

function findLines({ along, across }: InkPoints, letters: { right: number; below: number }): PageLines {
  const rows = findSkew({ along, across })
  const columns = findSkew({ along: across, across: along })
  const isUpright = letters.right > letters.below * NEIGHBOR_RATIO
  const isOnSide = letters.below > Math.max(MIN_NEIGHBORS, letters.right * NEIGHBOR_RATIO)
  if (isOnSide || (!isUpright && columns.score > rows.score * SIDEWAYS_RATIO))
    // Seen from the side, a clockwise skew is counter-clockwise.
    return { skewDegrees: -columns.degrees, turns: columns.lean < 1 ? [270, 90] : [90, 270], hasLines: false, isOnSide }
  const turns = rows.lean < UPSIDE_DOWN_LEAN ? [180] : []
  const hasLines = isUpright || rows.score > columns.score * LINES_RATIO
  return { skewDegrees: rows.degrees, turns, hasLines, isOnSide: false }
}

/** Pages of text have 3 to 30 times as many letters with a neighbor along the line as across. */
const NEIGHBOR_RATIO = 2
/** Fewer marks in a row are parts of a drawing. */
const MIN_NEIGHBORS = 15
/** Median of dark-on-light pages is far above this, of light-on-dark pages far below. */
const DARK = 110
/**
 * Pages of text score 2 to 14 times as high along their lines as across. Diagrams score about the
 * same in both directions.
 */
const SIDEWAYS_RATIO = 2
/**
 * A lower ratio is enough to try a rotation when no text was read. Short lines of large letters
 * gave 1.5 to 2.4, a diagram 1.
 */
const LINES_RATIO = 1.5
/** Upright pages of text gave 1.06 to 1.19, upside-down pages 0.76 to 0.94. */
const UPSIDE_DOWN_LEAN = 0.96

/** Decided by the text: a page in the shade is dim but still dark on light. */
function looksDark(page: GrayPage, cells: readonly PageCell[]): boolean {
  const inked = cells.filter(hasInk)
  if (inked.length === 0) return medianOf(page.data) < DARK
  const isLight = inked.filter(isLightOnDark).length * 2 > inked.length
  // Undecidable at the edges of very thick strokes.
  const counts = countValues(page.data)
  return isLight && findValue(counts, 0.5) * 2 < findValue(counts, 0.01) + findValue(counts, 0.99)
}

/** Side of a cell in pixels: about the height of a line. */
const SPECK_CELL = 16
/**
 * A cell has ink if its contrast exceeds the contrast of the emptiest fifth of the cells (noise) by
 * this factor, within bounds.
 */
const CONTRAST = { overNoise: 1.8, min: 40, max: 70 } as const
/** A speck may span two cells; in a small picture, a cell is a letter. */
const SPECKS = { max: 2, cellsPerSpeck: 200 } as const

function isBlank(page: GrayPage): boolean {
  const contrasts = listCells(page, SPECK_CELL)
    .map(({ darkest, lightest }) => lightest - darkest)
    .sort((a, b) => a - b)
  const noise = contrasts[Math.floor(contrasts.length / 5)] ?? 0
  const threshold = Math.min(CONTRAST.max, Math.max(CONTRAST.min, noise * CONTRAST.overNoise))
  const specks = Math.min(SPECKS.max, contrasts.length / SPECKS.cellsPerSpeck)
  return contrasts.filter((contrast) => contrast > threshold).length <= specks
}

function medianOf(data: Uint8Array): number {
  return findValue(countValues(data), 0.5)
}

/** Typical shade of the cells with ink; 0 or 255 without ink. */
function findInkShade(cells: readonly PageCell[], isDark: boolean): number {
  const inks = cells.filter(hasInk).map(({ darkest, lightest }) => (isDark ? lightest : darkest))
  return inks.sort((a, b) => a - b)[inks.length >> 1] ?? (isDark ? 255 : 0)
}

function countValues(data: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256)
  for (const value of data) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The value that this share of the pixels does not exceed. */
function findValue(counts: Uint32Array, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let below = 0
  return counts.findIndex((count) => {
    below += count
    return below >= share * total
  })
}

/** Enough points to find the lines of any page. */
const MAX_INK_POINTS = 20_000

/** Points of ink, sampled evenly. */
function findInk(page: GrayPage, cells: readonly PageCell[], isDark: boolean): InkPoints {
  const written = cells.filter((cell) => hasInk(cell) && isLightOnDark(cell) === isDark)
  const points = written.flatMap((cell) => listInk(page, cell, isDark))
  const stride = Math.max(1, Math.ceil(points.length / MAX_INK_POINTS))
  const thin = points.filter((_, at) => at % stride === 0)
  const toPlaces = (find: (point: number) => number) => Uint16Array.from(thin, find)
  return {
    along: toPlaces((point) => point % page.width),
    across: toPlaces((point) => Math.floor(point / page.width)),
  }
}

/** Pixels that differ from the paper around them by more than half of the strongest difference. */
function listInk({ data, width }: GrayPage, cell: PageCell, isDark: boolean): number[] {
  const threshold = (cell.paper + (isDark ? cell.lightest : cell.darkest)) / 2
  const points: number[] = []
  for (let row = cell.top; row < cell.bottom; row += 1)
    for (let at = row * width + cell.left; at < row * width + cell.right; at += 1) {
      const value = data[at] ?? 0
      if (isDark ? value > threshold : value < threshold) points.push(at)
    }
  return points
}

/** Default side of a cell in pixels: about two lines of text in a survey. */
const CELL = 32
/** Contrast of paper without ink, or of a drawn shade, is lower. In gray levels. */
const MIN_CONTRAST = 40

/**
 * A small square of a page and its shades. Most of a cell is paper, whose brightness and colour
 * vary over the page.
 */
type PageCell = {
  left: number
  top: number
  right: number
  bottom: number
  darkest: number
  paper: number
  lightest: number
}

/** All cells of a page; cells at the right and lower edges may be smaller. */
export function listCells(page: GrayPage, side = CELL): PageCell[] {
  const cells: PageCell[] = []
  for (let top = 0; top < page.height; top += side)
    for (let left = 0; left < page.width; left += side) cells.push(readCell(page, { left, top, side }))
  return cells
}

function readCell(
  { data, width, height }: GrayPage,
  { left, top, side }: { left: number; top: number; side: number },
): PageCell {
  const right = Math.min(left + side, width)
  const bottom = Math.min(top + side, height)
  const values = new Uint8Array((right - left) * (bottom - top))
  for (let y = top; y < bottom; y += 1)
    values.set(data.subarray(y * width + left, y * width + right), (y - top) * (right - left))
  values.sort()
  const paper = values[values.length >> 1] ?? 0
  return { left, top, right, bottom, darkest: values[0] ?? 0, paper, lightest: values.at(-1) ?? 0 }
}

/** True if there is text or a drawing. */
function hasInk({ darkest, lightest }: PageCell): boolean {
  return lightest - darkest >= MIN_CONTRAST
}

/** True if the ink is lighter than the paper. */
function isLightOnDark({ darkest, paper, lightest }: PageCell): boolean {
  return lightest - paper > paper - darkest
}

/**
 * The dimmest twentieth of an unevenly lit page has less than this share of the light of its
 * brightest. Of an even page, 0.95 and more.
 */
const MAX_EVENNESS = 0.8
/**
 * Less light than this share of the brightest is not a shadow. It is dark ink, or the surroundings
 * of the page.
 */
const MIN_LIGHT = 0.25
/** With more light-on-dark text, the dark is a colour. */
const MAX_LIGHT_ON_DARK = 0.1

/**
 * True for a page with bright and dim areas, as in a photograph. False if parts are dark, or carry
 * light text.
 */
export function isUnevenlyLit(cells: readonly PageCell[]): boolean {
  const papers = cells.map(({ paper }) => paper).sort((a, b) => a - b)
  const at = (share: number) => papers[Math.floor(share * (papers.length - 1))] ?? 0
  const brightest = at(0.95)
  if (at(0.05) >= brightest * MAX_EVENNESS || at(0.02) < brightest * MIN_LIGHT) return false
  const inked = cells.filter(hasInk)
  return inked.filter(isLightOnDark).length <= inked.length * MAX_LIGHT_ON_DARK
}

/** Positions of ink, an entry per point: along and across the lines, in pixels. */
type InkPoints = { along: Uint16Array; across: Uint16Array }

/** Search range in degrees, for pages placed or photographed by hand. */
const REACH = 15
const STEPS = [1, 0.2, 0.05] as const
/** A smaller skew does not matter to the engine. In degrees. */
const MIN_DEGREES = 0.2
/**
 * Minimum gain in jaggedness by levelling skewed lines. Skewed pages gave 6 and more, level pages
 * 1.1.
 */
const MIN_GAIN = 1.5
const SMALL_DEGREES = 1
/** Fewer points form lines by chance. */
const MIN_POINTS = 200

/** Skew of the lines of text. */
type Skew = {
  /** The clockwise rotation that levels the lines; 0 if level or unknown. */
  degrees: number
  /** About 1 and more for lines of text, near 0 for ink without lines. */
  score: number
  /**
   * Above 1 if lines end more sharply at the bottom than at the top. Upright Latin text does: all
   * letters share the base line, and ascenders outnumber descenders. Below 1 for upside-down text.
   */
  lean: number
}

/** The direction with the most jagged profile of ink across the lines (Postl's criterion). */
export function findSkew(points: InkPoints): Skew {
  if (points.along.length < MIN_POINTS) return { degrees: 0, score: 0, lean: 1 }
  const asItIs = { degrees: 0, ...measureAt(points, 0) }
  let best = asItIs
  let reach: number = REACH
  for (const step of STEPS) {
    const centre = best.degrees
    for (let degrees = centre - reach; degrees <= centre + reach + step / 2; degrees += step) {
      const measured = measureAt(points, degrees)
      if (measured.score > best.score) best = { degrees, ...measured }
    }
    reach = step
  }
  const isSure = Math.abs(best.degrees) <= SMALL_DEGREES || best.spread >= asItIs.spread * MIN_GAIN
  const { spread: _, ...level } = isSure ? best : asItIs
  return { ...level, degrees: Math.abs(level.degrees) < MIN_DEGREES ? 0 : level.degrees }
}

/**
 * Limit for a single step of the profile in `spread`, as a multiple of the mean ink of a level. A
 * drawn stroke is one large step; lines of text are many.
 */
const MAX_STEP = 2

/**
 * Jaggedness of the profile after a clockwise rotation, relative to the amount of ink: in total, by
 * many steps, and its direction.
 */
function measureAt({ along, across }: InkPoints, degrees: number): { score: number; spread: number; lean: number } {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const levels = new Int32Array(along.length)
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let at = 0; at < levels.length; at += 1) {
    const level = Math.round((across[at] ?? 0) + (along[at] ?? 0) * slope)
    levels[at] = level
    if (level < low) low = level
    if (level > high) high = level
  }
  const profile = new Uint32Array(high - low + 3)
  for (const level of levels) profile[level - low + 1] = (profile[level - low + 1] ?? 0) + 1
  const most = (MAX_STEP * along.length) / (high - low + 1)
  let rising = 0
  let falling = 0
  let spread = 0
  for (let at = 1; at < profile.length; at += 1) {
    const step = (profile[at] ?? 0) - (profile[at - 1] ?? 0)
    if (step > 0) rising += step ** 2
    else falling += step ** 2
    spread += Math.min(Math.abs(step), most) ** 2
  }
  const scale = (high - low + 1) / along.length ** 2
  return { score: (rising + falling) * scale, spread: spread * scale, lean: falling / rising }
}
