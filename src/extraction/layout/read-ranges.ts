import { findDates } from '../../engine/analysis/find-dates.ts'
import type { Entry } from './entry.ts'

/** Separator of a date range: `1 June 2026 to 30 June 2027`. */
export const DATE_RANGE_SEPARATOR =
  /^\s*(?:to|until|till|through|bis(?: zum)?|au|jusqu['’]au|al?|hasta(?: el)?|[-–—])\s*$/iu
/**
 * Characters allowed around the range, such as "from" and brackets. In longer text the label names
 * something else.
 */
const MAX_SURROUNDING_CHARACTERS = 12
const RANGE_CHARACTERS = { least: '1.6.26-30.6.26'.length, most: 100 } as const
const DAY_CHARACTERS = '2026-06-01'.length
const TRUST_FACTOR = 0.97

/**
 * Returns start and end of entries that are date ranges, such as
 * `Period of cover: 01/06/2026 to 30/06/2026`.
 */
export function readDateRanges(text: string, entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry) => {
    const length = entry.end - entry.start
    if (length < RANGE_CHARACTERS.least || length > RANGE_CHARACTERS.most) return []
    const value = text.slice(entry.start, entry.end)
    const [first, last, ...more] = findDates(value, { dateOrder: 'dmy' })
    if (first === undefined || last === undefined || more.length > 0) return []
    const isSpan = DATE_RANGE_SEPARATOR.test(value.slice(first.end, last.start))
    const around = first.start + (value.length - last.end)
    const areDays = [first, last].every((date) => String(date.value).length === DAY_CHARACTERS)
    if (!isSpan || !areDays || around > MAX_SURROUNDING_CHARACTERS) return []
    return [
      { place: first, side: 'start' },
      { place: last, side: 'end' },
    ].map(({ place, side }) => {
      const [start, end] = [entry.start + place.start, entry.start + place.end]
      return { ...entry, label: `${entry.label} ${side}`, start, end, blockEnd: end, trust: TRUST_FACTOR * entry.trust }
    })
  })
}
