import type { Shades } from './erase-rules.ts'
import { findSkew, type InkPoints } from './find-skew.ts'
import { type GrayPage, openGray, readGray } from './gray-page.ts'
import { measureLetters } from './measure-letters.ts'

/** What can be said of a page without reading it. */
export type PageSurvey = {
  /** Nothing is written or drawn on it, but for noise and specks. */
  isBlank: boolean
  /** Light on dark. */
  isDark: boolean
  /** What half of it and more is, and the strongest of the ink in most places that have some. */
  shades: Shades
  /** See `isUnevenlyLit`. */
  isUnevenlyLit: boolean
  /** Where the lines of text lie; looked for when asked, about as long as the rest. */
  findLines(): PageLines
  /** How high its letters are, see `measureLetters`; looked for when asked. */
  findLetterHeight(): number | null
}

/** How the lines of text lie on a page. */
type PageLines = {
  /** Degrees to turn it clockwise so that its lines lie level; 0 where they do or nothing can be said. */
  skewDegrees: number
  /** Clockwise turns that may set it upright, the likeliest first; none where it looks upright. */
  turns: number[]
  /** True where what lies along the page is much more like lines of text than what lies across it. */
  hasLines: boolean
}

/** A page is looked at in this many pixels at most: letters of 10 points still are 10 pixels high on an A4 page. */
const SURVEY_PIXELS = 1_400_000
/** So much blur takes the noise of single pixels away, and leaves letters. */
const NOISE_SIGMA = 1

/** Looks at a page: about 50 ms for 300 dpi A4. */
export async function surveyPage(page: GrayPage): Promise<PageSurvey> {
  const factor = Math.min(1, Math.sqrt(SURVEY_PIXELS / (page.width * page.height)))
  const width = Math.max(1, Math.round(page.width * factor))
  const height = Math.max(1, Math.round(page.height * factor))
  const small = await readGray(openGray(page).resize(width, height, { fit: 'fill' }))
  const calm = await readGray(openGray(small).blur(NOISE_SIGMA))
  const cells = listCells(calm)
  const isDark = looksDark(calm, cells)
  const shades = { paper: medianOf(calm.data), ink: findInkShade(cells, isDark) }
  return {
    isBlank: isBlank(calm),
    isDark,
    shades,
    isUnevenlyLit: isUnevenlyLit(cells),
    findLines: () => findLines(findInk(calm, cells, isDark)),
    findLetterHeight: () => {
      const threshold = (shades.paper + shades.ink) / 2
      const letters = measureLetters(small, isDark ? (value) => value > threshold : (value) => value < threshold)
      return letters === null ? null : letters / factor
    },
  }
}

function findLines({ along, across }: InkPoints): PageLines {
  const rows = findSkew({ along, across })
  const columns = findSkew({ along: across, across: along })
  // Seen from the side, a clockwise skew is a counter-clockwise one.
  if (columns.score > rows.score * SIDEWAYS_RATIO)
    return { skewDegrees: -columns.degrees, turns: columns.lean < 1 ? [270, 90] : [90, 270], hasLines: false }
  const turns = rows.lean < UPSIDE_DOWN_LEAN ? [180] : []
  return { skewDegrees: rows.degrees, turns, hasLines: rows.score > columns.score * LINES_RATIO }
}

/** Half the pixels of dark-on-light pages are far above this, of light-on-dark pages far below. */
const DARK = 110
/** Pages of text score 2 to 14 times as much along their lines as across; diagrams about the same in both directions. */
const SIDEWAYS_RATIO = 2
/** Less is enough to try a turn where nothing is read: short lines of large letters gave 1.5 to 2.4, a diagram 1. */
const LINES_RATIO = 1.5
/** Upright pages of text gave 1.06 to 1.19, the same upside down 0.76 to 0.94. */
const UPSIDE_DOWN_LEAN = 0.96

/** By what is written: a page in the shadow is dim, and dark on light all the same. */
function looksDark(page: GrayPage, cells: readonly PageCell[]): boolean {
  const inked = cells.filter(hasInk)
  if (inked.length === 0) return medianOf(page.data) < DARK
  const isLight = inked.filter(isLightOnDark).length * 2 > inked.length
  // At the edges of very thick strokes it is a coin's flip.
  const counts = countValues(page.data)
  return isLight && findValue(counts, 0.5) * 2 < findValue(counts, 0.01) + findValue(counts, 0.99)
}

/** Side of the cells that are told apart, in pixels: about the height of a line. */
const SPECK_CELL = 16
/** A cell has ink when its contrast is so much above that of the emptiest fifth of the cells, which is noise; within bounds. */
const CONTRAST = { overNoise: 1.8, min: 40, max: 70 } as const
/** A speck may lie across two cells; on a small picture a cell is a letter. */
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

/** Of most cells that have some; 0 or 255 where none has. */
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

/** So many points show the lines of any page. */
const MAX_INK_POINTS = 20_000

/** Points of ink, evenly thinned out. */
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

/** Where in the page's pixels something stands out from the paper around it by more than half of what the strongest there does. */
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

/** Side of a cell in pixels where nobody says: two lines of text or so, as a survey sees them. */
const CELL = 32
/** Less contrast than this has paper without ink, or a drawn shade. In gray levels. */
const MIN_CONTRAST = 40

/** A small square of a page, and its shades. Most of it is paper, which is dimmer in one place than in another, or coloured. */
type PageCell = {
  left: number
  top: number
  right: number
  bottom: number
  darkest: number
  paper: number
  lightest: number
}

/** All of a page; those at its right and its lower edge may be smaller. */
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

/** Something is written or drawn there. */
function hasInk({ darkest, lightest }: PageCell): boolean {
  return lightest - darkest >= MIN_CONTRAST
}

/** What is written there is lighter than its paper. */
function isLightOnDark({ darkest, paper, lightest }: PageCell): boolean {
  return lightest - paper > paper - darkest
}

/** The dimmest twentieth of an unevenly lit page has less than this share of the light of its brightest; of an even one 0.95 and more. */
const MAX_EVENNESS = 0.8
/** Less light than this share of the brightest is no shadow: it is dark ink, or lies around the page. */
const MIN_LIGHT = 0.25
/** Where more of what is written is light on dark, the dark is a colour. */
const MAX_LIGHT_ON_DARK = 0.1

/** True of a page that is bright here and dim there, as a photograph is, and not of one with parts that are dark, or on which something light is written. */
export function isUnevenlyLit(cells: readonly PageCell[]): boolean {
  const papers = cells.map(({ paper }) => paper).sort((a, b) => a - b)
  const at = (share: number) => papers[Math.floor(share * (papers.length - 1))] ?? 0
  const brightest = at(0.95)
  if (at(0.05) >= brightest * MAX_EVENNESS || at(0.02) < brightest * MIN_LIGHT) return false
  const inked = cells.filter(hasInk)
  return inked.filter(isLightOnDark).length <= inked.length * MAX_LIGHT_ON_DARK
}
