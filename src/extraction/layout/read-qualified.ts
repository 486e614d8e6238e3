import { findDates } from '../../engine/analysis/find-dates.ts'
import { WRITTEN, wordPattern } from '../../engine/phrases.ts'
import { findMoney } from '../values/find-money.ts'
import { findPercents } from '../values/find-numbers.ts'
import { readConventions } from '../values/read-conventions.ts'
import type { FoundValue } from '../values/value.ts'
import { type Entry, type Span, trimSpan } from './entry.ts'
import type { Line } from './split-cells.ts'

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

const INLINE_TRUST = 0.93
const MAX_PART_CHARACTERS = 90
const MAX_INLINE_WORDS = 3
/** Borders of the parts of a line; the full stop of `9. März` is none. */
const PART_BORDER = /[,;]\s+(?=\p{L})|(?<!(?<!\d)\d{1,2})[.]\s+(?=\p{Lu})|[。；]/gu
/** Words, then everything from the first digit, or from the currency before. */
const INLINE_PAIR = /^(\p{L}[^\d:：|]{0,48}?)(?:\s|(?=[（(]))([（(]?(?:\p{Sc}\s?|\p{Lu}{3}\s)?[-−]?\d.*)$/u
const VERBS = wordPattern(
  ({ statements }) => statements && `${statements.copulas ?? ''} ${statements.negations ?? ''}`,
  WRITTEN,
)
/** Words of a sentence, which is read as prose. */
const SENTENCE_WORD = new RegExp(`(?<!\\p{L})(?:${VERBS})(?!\\p{L})`, 'iu')
/** Labels before a date: a word with a capital, or words with a preposition of days. */
const DAY_LABEL = new RegExp(
  String.raw`^(?:\p{Lu}[\p{L}-]*|(?:\p{L}[\p{L}-]* )+(?:on|am|vom|den|le|du|el|del|il|op|på|em|de|dated|dnia|` +
    String.raw`od|от)(?: \p{Lu}\p{L}+,?)?)$`,
  'u',
)
/** A plain number in a cell of its row. */
const CELL_NUMBER = /^[-−]?\d[\d.,'’ ]*(?<=\d)$/u

/**
 * Reads labels and values without a colon: `Fare 42.60 GBP    Booking fee 1.50 GBP`,
 * `Miete 980 Euro, Nebenkosten 210 Euro`, `Fällig am 02.02.2026.`, `VAT 20% £36.90`. A part of a
 * line with other words is none.
 */
export function readInlinePairs(text: string, lines: readonly Line[]): Entry[] {
  return lines.flatMap(({ cells, text: line }) =>
    line.includes('|') ||
    (cells.length > 1 && cells.some((cell) => !(/\p{L}{2}/u.test(cell.text) && /\d/.test(cell.text))))
      ? []
      : cells.flatMap((cell) => splitParts(text, cell).flatMap((part) => readInlinePair(part, cells.length > 1))),
  )
}

function splitParts(text: string, cell: Span): Span[] {
  const borders = [...cell.text.matchAll(PART_BORDER)].map(
    ({ index, 0: mark }) => [index, index + mark.length] as const,
  )
  const starts = [0, ...borders.map(([, end]) => end)]
  return starts.flatMap((start, index) => {
    const part = trimSpan(text, cell.start + start, cell.start + (borders[index]?.[0] ?? cell.text.length))
    return part === null || part.text.length > MAX_PART_CHARACTERS ? [] : [part]
  })
}

function readInlinePair({ text, start }: Span, isCell: boolean): Entry[] {
  const [, label = '', written = ''] = INLINE_PAIR.exec(text) ?? []
  const value = written.replace(/[.!]$/, '')
  if (label === '' || label.split(/\s+/).length > MAX_INLINE_WORDS || SENTENCE_WORD.test(label)) return []
  if (!(isCell && CELL_NUMBER.test(value)) && !isValueAlone(value, label)) return []
  const from = start + text.length - written.length
  const end = from + value.length
  return [{ label, contextLabel: '', start: from, end, blockEnd: end, trust: INLINE_TRUST }]
}

/** True for amounts, rates and days without other words. */
function isValueAlone(value: string, label: string): boolean {
  const dates = DAY_LABEL.test(label) ? findDates(value, { dateOrder: 'dmy' }) : []
  const found = [...findMoney(value, CONVENTIONS), ...findPercents(value, CONVENTIONS), ...dates]
  const rest = found
    .toSorted((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), value)
  return found.length > 0 && !/\p{L}/u.test(rest)
}
