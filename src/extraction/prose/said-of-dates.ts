import type { LabelWord } from '../labels/label-words.ts'
import { BETWEEN_DAYS } from '../layout/read-ranges.ts'

/** Where a date stands in a passage. */
type Place = { start: number; end: number }

/** What says of the date behind it that something has to be done by then. */
const BY =
  /(?<!\p{L})(?:until|by|before|no later than|at the latest by|bis(?: zum| spätestens(?: zum)?)?|spätestens(?: am)?|vor dem|jusqu['’]au|avant le|au plus tard le|hasta el|antes del?|a más tardar el)\s+(?:\p{L}+,?\s+)?$/iu
const REACH_CHARACTERS = 40

/**
 * What the small words around the dates of a clause say of them, as words right before each: of `vom 12.01. bis 27.03.` the first is a start and the
 * second an end, and `until 30 July` gives a deadline. `places` are the dates in order.
 */
export function wordsOfDates(text: string, places: readonly Place[]): LabelWord[] {
  const say = (place: Place | undefined, key: string): LabelWord[] =>
    place === undefined ? [] : [{ keys: [key], start: place.start, end: place.start, weight: 1 }]
  return places.flatMap((place, index) => {
    const next = places[index + 1]
    const last = places[index - 1]
    if (next !== undefined && isSpan(text, place, next)) return [...say(place, 'start'), ...say(next, 'end')]
    if (last !== undefined && isSpan(text, last, place)) return []
    const before = text.slice(Math.max(0, place.start - REACH_CHARACTERS), place.start)
    return BY.test(before) ? say(place, 'deadline') : []
  })
}

/** In words: what stands behind `2016 – 2019` alone, as in a CV, says what began then. */
function isSpan(text: string, first: Place, last: Place): boolean {
  const between = last.start - first.end < REACH_CHARACTERS ? text.slice(first.end, last.start) : ''
  return /\p{L}/u.test(between) && BETWEEN_DAYS.test(between)
}
