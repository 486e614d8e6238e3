import type { GrayPage } from './gray-page.ts'

/** Side of a cell in pixels where nobody says: two lines of text or so, as a survey sees them. */
const CELL = 32
/** Less contrast than this has paper without ink, or a drawn shade. In gray levels. */
const MIN_CONTRAST = 40

/** A small square of a page, and its shades. Most of it is paper, which is dimmer in one place than in another, or coloured. */
export type PageCell = {
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
export function hasInk({ darkest, lightest }: PageCell): boolean {
  return lightest - darkest >= MIN_CONTRAST
}

/** What is written there is lighter than its paper. */
export function isLightOnDark({ darkest, paper, lightest }: PageCell): boolean {
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
