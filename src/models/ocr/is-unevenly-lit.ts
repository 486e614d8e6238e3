import { hasInk, isLightOnDark, type PageCell } from './page-cells.ts'

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
