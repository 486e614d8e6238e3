import { findMoney } from '../values/find-money.ts'
import { findPercents } from '../values/find-numbers.ts'
import { readConventions } from '../values/read-conventions.ts'
import type { FoundValue } from '../values/value.ts'
import type { Entry } from './entry.ts'

/** Longer values are paragraphs. */
const MAX_CHARACTERS = 300
/** Longer words beside an amount are a sentence about something else. */
const MAX_QUALIFIER_CHARACTERS = 60
const TRUST_FACTOR = 0.97
/** The currency of `$` does not matter here. */
const CONVENTIONS = readConventions('', null)
/** End of the words that belong to the amount before. */
const SEGMENT_END = /[,;/|\n]|\.\s|\s(?:and|und|et|y|e|en|i|и)\s/u
const BORDERS = new RegExp(SEGMENT_END, 'gu')

/** An amount with the words beside it; empty if there are none. */
type Qualified = FoundValue & { qualifier: string }

/**
 * Reads amounts with their own words: in `Admission: adults £12, children £6.50` each of the two
 * amounts gets an entry, whose `contextLabel` is the word beside it. The entry of the whole line is
 * marked, because none of its amounts answers for the label alone.
 */
export function readQualifiedAmounts(text: string, entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    if (entry.isCell === true || entry.items !== undefined || entry.end - entry.start > MAX_CHARACTERS) return [entry]
    const region = text.slice(entry.start, entry.end)
    if (!/\d/.test(region) || !/\p{L}{3}/u.test(region)) return [entry]
    const kinds = [findMoney(region, CONVENTIONS), findPercents(region, CONVENTIONS)]
    const lists = kinds.map((values) => qualify(region, values))
    const isList = lists.some((values) => values.length > 1 && values.every(({ qualifier }) => qualifier !== ''))
    const qualified = lists.flat().filter(({ qualifier }) => qualifier !== '')
    return [
      isList ? { ...entry, isEnumerated: true } : entry,
      ...qualified.map(({ start, end, qualifier }) => ({
        label: entry.label,
        contextLabel: qualifier,
        start: entry.start + start,
        end: entry.start + end,
        blockEnd: entry.start + end,
        trust: TRUST_FACTOR * entry.trust,
        isCell: true,
        isQualified: true,
      })),
    ]
  })
}

/**
 * Adds the words beside each value. Between two values, the last comma or "and" decides: `adults
 * £5, children £3`, but `£5 for adults and £3 for children`. Without one, the words go to the
 * second value if the first has some before.
 */
function qualify(region: string, values: readonly FoundValue[]): Qualified[] {
  const areBefore = /\p{L}{2}/u.test(region.slice(0, values[0]?.start ?? 0))
  const gaps = values.map(({ end }, index) => {
    const words = region.slice(end, values[index + 1]?.start ?? region.length)
    const border = index < values.length - 1 ? [...words.matchAll(BORDERS)].at(-1) : undefined
    if (border === undefined) return areBefore && index < values.length - 1 ? ['', words] : [words, '']
    return [words.slice(0, border.index), words.slice(border.index + border[0].length)]
  })
  return values.map((value, index) => {
    const before = index === 0 ? region.slice(0, value.start) : (gaps[index - 1]?.[1] ?? '')
    const behind = gaps[index]?.[0]?.split(SEGMENT_END, 1)[0] ?? ''
    const words = [before, behind].filter((part) => part.length <= MAX_QUALIFIER_CHARACTERS).join(' ')
    return { ...value, qualifier: /\p{L}{2}/u.test(words) ? words.trim() : '' }
  })
}
