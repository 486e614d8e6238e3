import { WRITTEN, wordPattern } from '../../engine/phrases.ts'
import type { Candidate, FieldSearch } from '../field.ts'
import type { LabelWord } from '../label-words.ts'
import { DATE_RANGE_SEPARATOR } from '../layout/read-ranges.ts'
import { CELL_GAP } from '../layout/split-cells.ts'
import type { ReadPassage } from '../read-passage.ts'
import { collectKeys } from '../score-label.ts'
import { dropOverlapping, findValues } from '../values/find-values.ts'
import { hasOtherUnit, hasUnit, isForOtherPeriod, readTimeUnit } from '../values/units.ts'
import type { FoundValue } from '../values/value.ts'
import type { Clause } from './clauses.ts'
import {
  asksForCount,
  asksForYear,
  createCountTest,
  findCompoundCounts,
  listCountedWords,
  looksLikeYear,
} from './counts.ts'
import { createProximityScorer } from './proximity.ts'

/**
 * Maximum number of values per clause. More form a row of figures, in which words are near all
 * values.
 */
const MAX_VALUES = 30
/** Values in running text are less certain than values after a label. */
const TRUST = { prose: 0.9, form: 0.8 } as const
/**
 * Factors for units: the asked unit, no unit, a time unit in a field that counts things.
 * `discounted`: a discount period is not a payment term.
 */
const UNIT_FIT = { unit: 1.09, noUnit: 0.6, strayUnit: 0.6, monthOnly: 0.7, discounted: 0.8 } as const
/**
 * Factors for a date that the preceding words label as another kind. The start of a contract is not
 * its date.
 */
const KIND_FITS = new Map([
  ['start', 0.75],
  ['next', 0.6],
  ['end', 0.6],
  ['due', 0.6],
  ['deadline', 0.6],
  ['birth', 0.6],
])
const KIND_WORDS_BEFORE = 6
const WITHIN_BEFORE =
  /(?<!\p{L})(?:within|innerhalb(?: von)?|binnen|in|dans(?: les)?|sous|à|en|entro|dentro de|em|w ciągu|в течение)\s+$/iu
const WITHIN_REACH_CHARACTERS = 30
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}$/u
/** Labels of durations, in any unit. */
const DURATION_KEYS = [
  'duration',
  'notice',
  'period',
  'time',
  'day_count',
  'week',
  'month',
  'year',
  'hour',
  'minute',
  'birth',
  'within',
]

type Placed = { value: FoundValue; start: number; end: number }

/** Returns dates, amounts and numbers in running text, scored by the words nearby. */
export function listTypedCandidates(passage: ReadPassage, search: FieldSearch): Candidate[] {
  const { type, asked, unit } = search
  const areNumbers = type === 'number' || type === 'integer'
  const areCounts = unit === null && areNumbers
  return passage.clauses.flatMap((clause) => {
    if ((clause.isForm && !areNumbers) || lacksNumber(clause, passage, search)) return []
    const text = passage.text.slice(clause.start, clause.end)
    const { places, words } = readClause(clause, text, { search, passage })
    if (places.length > MAX_VALUES || isOrigin(text, clause, search)) return []
    const borders = findBorders(text, clause.start)
    const options = { values: places, borders }
    const nearness = createProximityScorer({ ...options, asked, clause: { ...clause, words }, areCounts })
    const nearnessOfDue =
      unit === null ? nearness : createProximityScorer({ ...options, asked: asked.map(addDueKeys), clause })
    const isCounted = areNumbers ? createCountTest(passage.text, listNouns(words, search)) : null
    const isStrict = areCounts && asksForCount(asked) && listNouns(clause.topic, search).length === 0
    const trust = clause.isForm ? TRUST.form : TRUST.prose
    const discounted =
      !search.keys.has('discount') && unit !== null && collectKeys(words).has('discount') ? UNIT_FIT.discounted : 1
    return places.map(({ value, ...place }, index): Candidate => {
      const isWithin = WITHIN_BEFORE.test(text.slice(0, value.start).slice(-WITHIN_REACH_CHARACTERS))
      const near = (isWithin ? nearnessOfDue : nearness)(place)
      const from = places[index - 1]?.end ?? 0
      const before = words.filter(({ start, end }) => start >= from && end <= place.start).slice(-KIND_WORDS_BEFORE)
      const fit =
        near === 0 || (isStrict && isCounted?.(place) === null)
          ? 0
          : getFit(value, text.slice(value.end), search) * getDateKindFit(before, search) * discounted
      return { ...value, ...place, score: trust * near * fit }
    })
  })
}

const AND = wordPattern(({ answers }) => answers?.and, WRITTEN)
const BORDER = new RegExp(String.raw`[,;](?=\s)|[、，；]|(?<=\s)(?:${AND})(?=\s)`, 'giu')

/** Places of the commas and words that separate the values of a list. */
function findBorders(text: string, offset: number): number[] {
  return [...text.matchAll(BORDER)].map(({ index }) => offset + index)
}

/** Words before a thing from which something else comes. */
const FROM_BEFORE = /\p{L}\s+(?:from|aus)\s+(?:(?:the|den|der|dem)\s+)?$/iu

/** True if the clause is about what comes from the asked thing: `Income from rents was £500`. */
function isOrigin(text: string, { start, words }: Clause, search: FieldSearch): boolean {
  const [first] = listNouns(words, search)
  return search.type === 'currency' && first !== undefined && FROM_BEFORE.test(text.slice(0, first.start - start))
}

/** Finds the values of a clause that may belong to the field, and the words beside them. */
function readClause(
  clause: Clause,
  text: string,
  { search, passage }: { search: FieldSearch; passage: ReadPassage },
): { places: readonly Placed[]; words: readonly LabelWord[] } {
  const { type, conventions } = search
  const areNumbers = type === 'number' || type === 'integer'
  const compounds = areNumbers ? findCompoundCounts(text, search) : []
  const values = dropPartialNumbers(findValues(text, type, conventions), text, search)
  const all = [...values, ...compounds.map(({ value }) => value)]
    .sort((a, b) => a.start - b.start)
    .map((value) => ({ value, start: value.start + clause.start, end: value.end + clause.start }))
  const nouns = compounds.map(({ word }) => {
    return { ...word, start: word.start + clause.start, end: word.end + clause.start }
  })
  const own = [...clause.words, ...nouns].sort((a, b) => a.start - b.start)
  const words = addImpliedWords({ ...clause, words: own }, text, { search, all, passage })
  const real = areNumbers ? all.filter(createYearFilter(passage.text, words, search)) : all
  const isRow = CELL_GAP.test(text)
  return { places: clause.isForm ? listUncoveredValues(real, { words, isRow }, search) : real, words }
}

/** True if the label names a year or number that neither the clause nor its headings have. */
function lacksNumber({ words, topic }: Clause, { contextKeys }: ReadPassage, { asked }: FieldSearch): boolean {
  const said = collectKeys([...words, ...topic])
  return asked.some(({ keys }) => keys.some((key) => /^\d+$/.test(key) && !said.has(key) && !contextKeys.has(key)))
}

/** The words of a clause that name what is counted. */
function listNouns(words: readonly LabelWord[], { asked }: FieldSearch): LabelWord[] {
  const counted = new Set(listCountedWords(asked).flatMap(({ keys }) => keys))
  return words.filter(({ keys }) => keys.some((key) => counted.has(key)))
}

/** Keeps years for a field that asks for one. Elsewhere only `2000 guests` is a count. */
function createYearFilter(text: string, words: readonly LabelWord[], search: FieldSearch): (place: Placed) => boolean {
  const asksYear = search.type === 'integer' && search.unit === null && asksForYear(search)
  const findSide = createCountTest(text, listNouns(words, search))
  return (place) => {
    const isYear = looksLikeYear(text.slice(place.start, place.end))
    return asksYear ? isYear : !isYear || findSide(place) === 'after'
  }
}

/**
 * Keeps form values that the label does not cover: counts and measures such as
 * `Guests: 2 adults, 1 child` or `Findings: weight 104 kg, BMI 32.8`.
 *
 * In a row of cells, a number after a word belongs to the name: `OSB board 18 mm    35`.
 */
function listUncoveredValues(
  places: readonly Placed[],
  { words, isRow }: { words: readonly LabelWord[]; isRow: boolean },
  { keys }: FieldSearch,
): Placed[] {
  const named = words.filter((word) => word.keys.some((key) => keys.has(key)))
  const [starts, ends] = [new Set(named.map(({ start }) => start)), new Set(named.map(({ end }) => end))]
  return places.filter(({ start, end }) => starts.has(end + 1) || (!isRow && ends.has(start - 1)))
}

/** Adds asked words found inside unspaced text: `月租金为人民币`. */
function addUnspacedWords({ start, words }: Clause, text: string, asked: readonly LabelWord[]): readonly LabelWord[] {
  const found = asked.flatMap((word) =>
    word.keys
      .filter((key) => UNSPACED.test(key) && !words.some(({ keys }) => keys.includes(key)))
      .flatMap((key) => [...text.matchAll(new RegExp(key, 'gu'))].map(({ index }) => ({ key, at: start + index })))
      .map(({ key, at }) => ({ ...word, keys: [key], start: at, end: at + key.length })),
  )
  return found.length === 0 ? words : [...words, ...found].sort((a, b) => a.start - b.start)
}

/**
 * Words of a clause, with unspaced matches and with the meanings that small words give to dates.
 */
function addImpliedWords(
  clause: Clause,
  text: string,
  { search, all, passage }: { search: FieldSearch; all: readonly Placed[]; passage: ReadPassage },
): readonly LabelWord[] {
  const words = addUnspacedWords(clause, text, search.asked)
  const said = search.type === 'date' ? readDateRoles(passage.text, all) : []
  return said.length === 0 ? words : [...words, ...said].sort((a, b) => a.start - b.start)
}

/** A payment within a number of days is due by then. */
function addDueKeys(word: LabelWord): LabelWord {
  return word.keys.includes('payment') ? { ...word, keys: [...word.keys, 'due', 'paid'] } : word
}

function getDateKindFit(before: readonly LabelWord[], { type, keys }: FieldSearch): number {
  if (type !== 'date' || [...KIND_FITS.keys()].some((kind) => keys.has(kind))) return 1
  return Math.min(1, ...before.flatMap((word) => word.keys.map((key) => KIND_FITS.get(key) ?? 1)))
}

function getFit({ value }: FoundValue, behind: string, { type, unit, keys }: FieldSearch): number {
  // A month in running text is usually the end of a range.
  if (type === 'date') return String(value).length < '2026-01-01'.length ? UNIT_FIT.monthOnly : 1
  if (type === 'currency' && isForOtherPeriod(behind, keys)) return 0
  if (type !== 'number' && type !== 'integer') return 1
  if (unit !== null) return hasUnit(behind, unit) ? UNIT_FIT.unit : hasOtherUnit(behind, unit) ? 0 : UNIT_FIT.noUnit
  return readTimeUnit(behind) === null || DURATION_KEYS.some((key) => keys.has(key)) ? 1 : UNIT_FIT.strayUnit
}

/** Removes numbers that are part of dates, amounts, addresses or telephone numbers. */
function dropPartialNumbers(
  values: readonly FoundValue[],
  text: string,
  { type, conventions }: FieldSearch,
): FoundValue[] {
  if (type !== 'number' && type !== 'integer') return [...values]
  return dropOverlapping(values, text, { of: ['date', 'currency', 'percent', 'email', 'phone', 'url'], conventions })
}

/** Range of a date in a passage. */
type Place = { start: number; end: number }

/** Words before a date that make the date a deadline. */
const DEADLINE_BEFORE = new RegExp(
  String.raw`(?<!\p{L})(?:until|by|before|no later than|at the latest by|bis(?: zum| spätestens(?: zum)?)?|` +
    "spätestens(?: am)?|vor dem|jusqu['’]au|avant le|au plus tard le|hasta el|antes del?|" +
    String.raw`a más tardar el)\s+(?:\p{L}+,?\s+)?$`,
  'iu',
)
const MAX_DISTANCE = 40

/**
 * Returns the meanings that small words give to dates, as words directly before each date. In
 * `vom 12.01. bis 27.03.` the dates are start and end; `until 30 July` is a deadline. `places` are
 * in order.
 */
export function readDateRoles(text: string, places: readonly Place[]): LabelWord[] {
  const say = (place: Place | undefined, key: string): LabelWord[] =>
    place === undefined ? [] : [{ keys: [key], start: place.start, end: place.start, weight: 1 }]
  return places.flatMap((place, index) => {
    const next = places[index + 1]
    const last = places[index - 1]
    if (next !== undefined && isDateRange(text, place, next)) return [...say(place, 'start'), ...say(next, 'end')]
    if (last !== undefined && isDateRange(text, last, place)) return []
    const before = text.slice(Math.max(0, place.start - MAX_DISTANCE), place.start)
    return DEADLINE_BEFORE.test(before) ? say(place, 'deadline') : []
  })
}

/** Requires words between the dates: in a CV the text after `2016 – 2019` describes the start. */
function isDateRange(text: string, first: Place, last: Place): boolean {
  const between = last.start - first.end < MAX_DISTANCE ? text.slice(first.end, last.start) : ''
  return /\p{L}/u.test(between) && DATE_RANGE_SEPARATOR.test(between)
}
