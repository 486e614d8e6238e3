import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import type { Span } from '../chunking/split-text.ts'
import type { AnswerKind } from '../languages/language.ts'
import { questionPattern } from './answer-kinds.ts'
import { isQuestion } from './dialogue-lines.ts'
import {
  BEFORE_YEAR,
  CLAUSES,
  CLOSED,
  DEGREES,
  EVIDENCE_FORMS,
  FIRST_NAME,
  FREQUENCY,
  LOOSE_FORMS,
  NUMBERED,
  OPEN,
  RANGE_TO,
  REPETITION,
  UNSPACED,
} from './evidence-patterns.ts'

/**
 * Expected kind of answer, the normalized question (`normalizeForMatch`), and whether the question
 * is negated.
 */
export type Asked = { kind: AnswerKind; words: string; isNegated: boolean }

/** Kinds that a heading states for everything below it. */
const HEADING_KINDS: ReadonlySet<AnswerKind> = new Set(['date', 'version'])

/**
 * True for a heading with the date or version asked for, which the sentences below do not repeat.
 */
export function headingAnswers(heading: string, { kind, words }: Pick<Asked, 'kind' | 'words'>): boolean {
  return HEADING_KINDS.has(kind) && !isQuestion(heading) && (findEvidence(heading, kind, words) ?? []).length > 0
}

const NAME_LINE = /^(?:#{1,6}\s+)?\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]*){1,3}$/u

/** True for a nearest heading of two to four words with capitals: `## Marek Dolan`. */
export function isNameHeading(headings: string): boolean {
  return NAME_LINE.test(headings.slice(headings.lastIndexOf('\n') + 1))
}

/** "When", "until what time", "which days": a question whether it is open asks for neither. */
const ASKS_WHEN = new RegExp(
  `^ (?:\\S+ )?(?:${questionPattern(({ which }) => which)}|${questionPattern(({ first }) => first?.date)}) ` +
    `|${questionPattern(({ phrases }) => phrases?.hour)}`,
  'u',
)

/**
 * True for a sentence with closed days only, if the question asks for opening hours, and the other
 * way round. `lead` is the sentence's parent line.
 */
export function tellsOtherHours(text: string, lead: string, { words }: Asked): boolean {
  const isClosedAsked = CLOSED.test(words)
  if ((!isClosedAsked && !OPEN.test(words)) || !ASKS_WHEN.test(words)) return false
  const own = normalizeForMatch(text)
  const above = normalizeForMatch(lead)
  const isOpen = OPEN.test(own) || OPEN.test(above)
  const hasHours = (findEvidence(text, 'hour', '') ?? []).length > 0
  return isClosedAsked
    ? !CLOSED.test(own) && !CLOSED.test(above) && (hasHours || isOpen)
    : CLOSED.test(own) && !isOpen && !hasHours
}

const NAMED_KINDS: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'organization'])
/** Maximum number of matches in a sentence; more add no evidence. */
const MAX_SPANS = 40

/**
 * Finds possible answers of a kind in a sentence, in order: years for a date, names for a person.
 * Excludes words of the question; `asked` is the question in the form of `normalizeForMatch`.
 * Returns `null` for kinds without a pattern.
 */
export function findEvidence(sentence: string, kind: AnswerKind, asked: string): Span[] | null {
  const form = EVIDENCE_FORMS[kind]
  if (form === undefined) return null
  const unsaid = findNewMatches(sentence, form, asked)
  if (kind === 'amount') return excludeOtherKinds(sentence, kind, [...excludeDurations(sentence, unsaid)])
  if (kind === 'number' && OFTEN.test(asked) && !COUNTS.test(asked))
    return [...unsaid, ...findNewMatches(sentence, REPETITION, asked)]
  return excludeOtherKinds(sentence, kind, unsaid)
}

/** Round counts are no dates, years are no amounts, and months are no names. */
function excludeOtherKinds(sentence: string, kind: AnswerKind, spans: Span[]): Span[] {
  if (kind === 'date') return spans.filter((span) => !isRoundCount(sentence, span))
  if (kind === 'amount') return spans.filter((span) => !isYear(sentence, span))
  return NAMED_KINDS.has(kind) ? excludeDates(sentence, spans) : spans
}

const ROUND = /^\d\d00$/
const LAST_PLURAL = /^ \p{Ll}{3,30}s(?=[.,;!?]|$)/u

/**
 * True for a round number before a plural that ends the clause: "replaced in 1500 homes". Elsewhere
 * it may be a year: "In 1900 workers built …"
 */
function isRoundCount(sentence: string, { start, end }: Span): boolean {
  return ROUND.test(sentence.slice(start, end)) && LAST_PLURAL.test(sentence.slice(end, end + MAX_NAME_CHARACTERS))
}

const YEAR = /^(?:1[89]|20)\d\d$/
/** A range of years, of which one is no round number: "1979 to 1994". */
const YEARS = new RegExp(
  `(?<!\\p{N})(?=(?:1[89]|20)\\d[1-9]|.{4,12}(?:1[89]|20)\\d[1-9])(?:1[89]|20)\\d\\d ?(?:–|-|${RANGE_TO}) ?` +
    String.raw`(?:1[89]|20)\d\d(?!\p{N})`,
  'gu',
)

/** True for a year: "kept the light from 1979 to 1994", "in 1994". */
function isYear(sentence: string, { start, end }: Span): boolean {
  if (!YEAR.test(sentence.slice(start, end))) return false
  if (BEFORE_YEAR.test(sentence.slice(Math.max(0, start - MAX_NAME_CHARACTERS), start))) return true
  return [...sentence.matchAll(YEARS)].some(({ 0: years, index }) => index <= start && end <= index + years.length)
}

/** True for a sentence with a new first word that may be a name: "Mara rows every morning." */
export function mayStartWithName(sentence: string, asked: string): boolean {
  return findNewMatches(sentence, FIRST_NAME, asked).length > 0
}

/** True for a number before the noun that is counted: "In how many homes …?", "in 1985 homes". */
function countsAsked(sentence: string, { end }: Span, asked: string): boolean {
  const [, noun = ''] = /^ (\p{L}{3,})/u.exec(sentence.slice(end, end + MAX_NAME_CHARACTERS)) ?? []
  return noun !== '' && asked.includes(` ${normalizeWordForMatch(noun)} `)
}

/** "June" is no name. */
function excludeDates(sentence: string, spans: readonly Span[]): Span[] {
  return spans.length === 0 ? [] : [...excludeSpans(spans, findNewMatches(sentence, DATE_FORM, ''))]
}

/** Alternative kinds: "within five days" answers "when", and any number may be a quantity. */
const ALTERNATIVE_KINDS: Readonly<Partial<Record<AnswerKind, AnswerKind>>> = {
  date: 'duration',
  duration: 'number',
  measure: 'number',
  hour: 'date',
  percentage: 'number',
  money: 'number',
  person: 'organization',
  parties: 'organization',
}
/** A text in a script without capitals. */
const CASELESS = /^(?=.*\p{L})[^\p{Lu}\p{Ll}]*$/su

const DATE_FORM = EVIDENCE_FORMS.date ?? /(?!)/gu
/** "Who is Ann?" asks for a sentence about a known person. */
const ASKS_WHAT_IS = new RegExp(`^ (?:${questionPattern(({ whatIs }) => whatIs)}) (?:\\S+ ){1,4}$`, 'u')

/**
 * False if nothing in a sentence could be an answer of the kind, even loosely: no number, no word
 * of time, no person. True for kinds and scripts without patterns.
 */
export function mayContainAnswer(whole: string, kind: AnswerKind, asked: string): boolean {
  const sentence = kind === 'person' ? whole.replace(LABEL, '') : whole
  if (kind === 'email') return (findEvidence(sentence, kind, '') ?? []).length > 0
  const loose = LOOSE_FORMS[kind]
  if (UNSPACED.test(sentence))
    return !COUNTED_KINDS.has(kind) || UNKNOWN.test(sentence) || UNSPACED_AMOUNT.test(sentence)
  if (loose === undefined || CASELESS.test(sentence)) return true
  const isCount = COUNTS.test(asked)
  const hasRepetition = OFTEN.test(asked) && FREQUENCY.test(sentence)
  if (hasRepetition || (OFTEN.test(asked) && !isCount)) return hasRepetition
  const find = (form: RegExp | undefined) => {
    const unsaid = form === undefined ? [] : findNewMatches(sentence, form, asked)
    if (kind === 'money') return excludeDurations(sentence, unsaid)
    return excludeOtherKinds(sentence, kind, unsaid)
  }
  const others = find(EVIDENCE_FORMS[ALTERNATIVE_KINDS[kind] ?? kind])
  const isLike =
    kind === 'money'
      ? excludeMeasures(sentence, others).length > 0
      : excludeOtherValues(sentence, others, { kind, asked }).length > 0
  if (isLike || (!CHECKED_KINDS.has(kind) && find(EVIDENCE_FORMS[kind]).length > 0)) return true
  if (kind === 'number' && isCount) return LOOSE_FORMS.amount?.test(sentence) === true
  // "Priya is on holiday" names no other person.
  if (kind !== 'person' || ASKS_WHAT_IS.test(asked)) return loose.test(sentence)
  return findNewMatches(sentence, new RegExp(loose.source, `g${loose.flags}`), asked).length > 0
}

/** Kinds whose values have a figure or a numeral. */
const COUNTED_KINDS = new Set<AnswerKind>(['number', 'amount', 'money', 'percentage', 'duration', 'measure'])
/** A sentence with words of a script with spaces, or with the numerals of Thai. */
const UNKNOWN = /[\p{Lu}\p{Ll}\p{scx=Thai}]/u
/** Figures and numerals, all or none, free of charge, each, unlimited. */
const UNSPACED_AMOUNT =
  /[\p{Nd}〇零一二两兩三四五六七八九十百千万萬亿億半几數数]|[无無免禁不未没毎每全各双両]|な[いし]|ません|フリー|ゼロ/u
const COUNTS = new RegExp(` (?:${questionPattern(({ howMany }) => howMany)}) `, 'u')

const ASKS_TEMPERATURE = new RegExp(` (?:${questionPattern(({ temperatures }) => temperatures)}) `, 'u')
const ASKS_SIZE = new RegExp(` (?:${questionPattern(({ sizes }) => sizes)}) `, 'u')

/** Degrees do not answer "How deep is the pool?", and nothing else answers "How warm is it?" */
function findOtherMeasures(sentence: string, asked: string): Span[] {
  const isTemperature = ASKS_TEMPERATURE.test(asked)
  if (!isTemperature && !ASKS_SIZE.test(asked)) return []
  return (findEvidence(sentence, 'measure', '') ?? []).filter(
    ({ start, end }) => DEGREES.test(sentence.slice(start, end)) !== isTemperature,
  )
}

/** Kinds whose evidence is among the numbers that are checked. */
const CHECKED_KINDS: ReadonlySet<AnswerKind> = new Set(['number', 'measure'])
const OFTEN = new RegExp(` (?:${questionPattern(({ howOften }) => howOften)}) `, 'u')

/** Kinds of values that are no number of things, no length of time, no measure. */
const OTHER_VALUES: Readonly<Partial<Record<AnswerKind, readonly AnswerKind[]>>> = {
  number: ['date', 'hour'],
  duration: ['money', 'percentage'],
  measure: ['date', 'hour', 'money'],
}

/**
 * Excludes values of other kinds from numbers; a year may answer how old something is. The figures
 * of a year may be a count.
 */
function excludeOtherValues(
  sentence: string,
  numbers: readonly Span[],
  { kind, asked }: { kind: AnswerKind; asked: string },
): readonly Span[] {
  const isCount = COUNTS.test(asked)
  const values = (numbers.length === 0 ? [] : (OTHER_VALUES[kind] ?? [])).flatMap((other) => {
    const found = findEvidence(sentence, other, '') ?? []
    return other !== 'date'
      ? found
      : found.filter(
          ({ start, end }) =>
            DAY.test(sentence.slice(start, end)) ||
            (isCount &&
              !countsAsked(sentence, { start, end }, asked) &&
              BEFORE_YEAR.test(sentence.slice(Math.max(0, start - MAX_NAME_CHARACTERS), start))),
        )
  })
  const others = kind === 'measure' ? [...values, ...findOtherMeasures(sentence, asked)] : values
  // `2026-01-13 02:00:02` has a number that is neither a part of the date nor of the hour.
  return numbers.filter(({ start, end }) => !others.some((other) => other.start < end && start < other.end))
}

/**
 * A label such as "Next meeting: …", with a lower-case word, names no person. A speaker in a chat
 * does.
 */
const LABEL = /^(?=[^\n:]{0,39} \p{Ll})[^\n:]{1,40}:\s+(?=\S)/u

/** Matches of the duration pattern that may be prices: "49 per month", "1200 to 1500". */
const PRICE_OVER_TIME = /[ -](?:per|an?|each|every|pro|im|je|jede[nrs]?|par|por|al?|ao|na|в|за)[ -]\p{L}+$|\d$/iu

/**
 * Excludes numbers of durations from prices: "A two-year warranty", "after 30 days". An amount of
 * money is none: "2 dollars an hour".
 */
function excludeDurations(sentence: string, spans: readonly Span[]): readonly Span[] {
  const found = spans.length === 0 ? [] : (findEvidence(sentence, 'duration', '') ?? [])
  const prices = found.length === 0 ? [] : (findEvidence(sentence, 'money', '') ?? [])
  return excludeSpans(
    spans,
    found.filter(
      ({ start, end }) =>
        !PRICE_OVER_TIME.test(sentence.slice(start, end)) &&
        !prices.some((price) => price.start < end && start < price.end),
    ),
  )
}

/** Excludes plain years, which may be prices. */
const DAY = /\p{L}|\d[./-]\d{1,2}[./-]\d/u
const YEAR_BEHIND_DAY = /\p{L}\.?,?\s$/u

const FIGURE = /\d/

/**
 * Excludes measures, dates, hours and numbers in words from prices: "5,20 m wide", "on 3 May",
 * "18:30", "three tablets".
 */
function excludeMeasures(sentence: string, spans: readonly Span[]): readonly Span[] {
  if (spans.length === 0) return spans
  const dates = findEvidence(sentence, 'date', '') ?? []
  const days = dates.filter(({ start, end }, index) => {
    const isBehindDay = (dates[index - 1]?.end ?? -1) >= start - 2 && YEAR_BEHIND_DAY.test(sentence.slice(0, start))
    return isBehindDay || DAY.test(sentence.slice(start, end))
  })
  const others = (['measure', 'hour'] as const).flatMap((kind) => findEvidence(sentence, kind, '') ?? [])
  const inFigures = spans.filter(({ start, end }) => FIGURE.test(sentence.slice(start, end)))
  return excludeSpans(inFigures, [...days, ...others])
}

/** A noun with a number as its name: "order 4711", "Invoice no. 12". */
const BEHIND_NAMED = new RegExp(`(?<!\\p{L})(?:${NUMBERED})(?: (?:number|no\\.?))? #?$`, 'iu')
const MAX_NAME_CHARACTERS = 40

/** Excludes numbers that are names, and amounts of money. */
export function excludeNamesAndMoney(sentence: string, spans: readonly Span[]): readonly Span[] {
  const counting = spans.filter(
    ({ start }) => !BEHIND_NAMED.test(sentence.slice(Math.max(0, start - MAX_NAME_CHARACTERS), start)),
  )
  return excludeSpans(counting, findEvidence(sentence, 'money', '') ?? [])
}

function excludeSpans(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return spans.filter(({ start, end }) => !others.some((other) => other.start <= start && end <= other.end))
}

/** Numbers of items and clauses are no counts: `3. Bring a lunch`, `§ 4 Pets`, `4.1 Pets. …` */
const ITEM_NUMBER = new RegExp(
  String.raw`^[\s#*_>•–-]{0,12}(?:\d{1,3}[.)](?=\s)|\d{1,2}(?:\.\d{1,2}){1,3}(?:[.)]|(?=\s\p{Lu}[^.:\n]{1,40}[.:]\s))` +
    `|(?:${CLAUSES}) ?\\d{1,3}(?:\\.\\d{1,2}){0,3}(?![\\p{L}\\p{N}]))`,
  'u',
)
/** "the landlord's" counts as "the landlord". */
const POSSESSIVE = /['’]s$/u

/** Finds matches of a pattern that the question does not contain. */
function findNewMatches(sentence: string, form: RegExp, asked: string): Span[] {
  const spans: Span[] = []
  const from = ITEM_NUMBER.exec(sentence)?.[0].length ?? 0
  for (const match of sentence.matchAll(form)) {
    if (spans.length >= MAX_SPANS) break
    const found = match[0]
    if (match.index + found.length <= from || found.trim() === '' || isInQuestion(found, asked)) continue
    spans.push({ start: match.index, end: match.index + found.length })
  }
  return spans
}

function isInQuestion(found: string, asked: string): boolean {
  const words = normalizeWordForMatch(found.replace(POSSESSIVE, ''))
  return words === '' ? asked.includes(found) : asked.includes(` ${words} `)
}
