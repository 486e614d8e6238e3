import type { AnswerKind, AnswerWords, Language } from '../languages/language.ts'
import { languagesWith } from '../languages/languages.ts'
import { listPhrases, markedToPattern, NORMALIZED, unspacedPattern, WRITTEN, wordPattern } from '../phrases.ts'

/** Words of one answer list, over all languages with spaces, as alternatives of a pattern. */
function words(select: (answers: AnswerWords) => string | undefined): string {
  return wordPattern(({ answers }) => (answers === undefined ? undefined : select(answers)), WRITTEN)
}

/** Same for languages without spaces. */
function unspaced(select: (answers: AnswerWords) => string | undefined): string {
  return unspacedPattern(({ answers }) => (answers === undefined ? undefined : select(answers)))
}

/** A letter of a script without spaces that the patterns cover, or of Thai. */
export const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u
/** A letter of a script with capitals, which show names. */
export const CASED = /[\p{Lu}\p{Ll}]/u

/** Month names as alternatives of a pattern. */
const MONTHS = words(({ monthPatterns }) => monthPatterns)
/** A month as a whole word. */
export const MONTH = new RegExp(`^(?:${MONTHS})$`, 'iu')
/** The end of a text before a year; the same figures elsewhere may be a count: "1500 workers". */
export const BEFORE_YEAR = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${MONTHS}|${words(({ beforeYears }) => beforeYears)})[.,]? $`,
  'iu',
)
/** Nouns that take a number or code as a name, as alternatives of a pattern. */
export const NUMBERED = words(({ numbered }) => numbered)
/** Words before the number of a clause, as alternatives of a pattern. */
export const CLAUSES = `§{1,2}|${words(({ clauses }) => clauses)}`
/** Words between the ends of a range, as alternatives of a pattern. */
export const RANGE_TO = words(({ rangeTo }) => rangeTo)
const BETWEEN = words(({ between }) => between)

/**
 * Makes small letters of a pattern match capitals as well. V8 (Node 24) compiles `(?i:…)` for that,
 * but some minutes after the start of a process the compiled pattern matches nothing.
 */
function inAnyCase(pattern: string): string {
  return pattern.replace(/\\p\{\w+\}|\\.|\p{Ll}/gu, (part) => {
    const capital = part.toUpperCase()
    return part.length === 1 && capital.length === 1 ? `[${part}${capital}]` : part
  })
}

/** Begin and end of a word or number. */
const FREE = '(?<![\\p{L}\\p{N}])'
const STOP = '(?![\\p{L}\\p{N}])'
const DIGITS = "\\d{1,15}(?:[.,:'’ \\u00a0\\u202f]\\d{1,3}){0,5}"
const LOWER_NUMBER_WORDS = words(({ numbers }) => numbers)
/** The start of a sentence, after a caption or an item mark: `11. KEYS. Three sets …` */
const START = '(?<=(?:^|[.:;!?…]\\s|^[-*+•–—] |\\n)["“„«(¿¡*_]{0,3})'
/** A capital elsewhere belongs to a name: "Seven Oaks". */
const NUMBER_WORDS = `(?:${LOWER_NUMBER_WORDS}|${START}(?=\\p{Lu})(?:${inAnyCase(LOWER_NUMBER_WORDS)}))`
const AMOUNT = `(?:${DIGITS}|${NUMBER_WORDS})`
const HAN_NUMBER = `[0-9${unspaced(({ numbers }) => numbers).replaceAll('|', '')}]{1,12}`
/** Includes digits with thousands separators and decimals. */
const HAN_AMOUNT = `(?:${DIGITS}|${HAN_NUMBER})`
/** Currency codes precede or follow an amount. */
const CODES = 'USD|EUR|GBP|CHF|JPY|CNY|RUB|PLN|AUD|CAD|SEK|NOK|DKK'
const CURRENCY_SIGNS = words(({ currencySigns }) => currencySigns)
const MILLIONS = words(({ millions }) => millions)
/**
 * Units of weight, length, area, volume, temperature, speed, loudness, pressure and power. "in"
 * needs evidence that it means inch.
 */
const MEASURE_SIGNS =
  'kg|g|mg|lbs?|oz|[ckmµ]?m|ft|in(?= ?(?:[.,;:)×|]|x |by |(?:wide|long|high|tall|deep|thick)|$))|mm?[²³]|[ck]m[²³]' +
  '|m[lL]|[cd]?[lL]|[°º][CF]?|[KM]?Pa|bar|[kmMG]?W|[kMG]?Wh|[KMG]?Hz|k?V|m?Ah?|dB|km/h|mph'

/** The end of a measure of temperature. */
export const DEGREES = new RegExp(`(?:[°º][CF]?|${words(({ degrees }) => degrees)})$`, 'u')

/** A capitalized word in Latin or Cyrillic script; `NAME` joins words as in "van der Waals". */
const CAPITAL = "\\p{Lu}[\\p{L}’'-]{0,30}"
const PARTICLE = `(?:(?:${words(({ nameParticles }) => nameParticles)}) ){0,2}`
/** Several capitalized words, or one that does not begin the sentence. */
const NAME =
  `${FREE}(?:${CAPITAL}(?: ${PARTICLE}(?:${CAPITAL}|\\p{Lu}\\.)){1,5}` +
  `|(?<=[^.!?\\s]["“„«(]? {1,2}["“„«(]?)${CAPITAL}|(?<=[;,\\t])\\p{Lu}\\p{Ll}{2}[\\p{L}’'-]{0,30})`
const HAN_NAME = '\\p{Script=Han}{1,12}·[\\p{Script=Han}·]{1,12}'

/** Follows an hour without a unit. */
const AFTER_HOUR = `(?= ?(?:[.,;:!?)–-]|$)| (?:${words(({ afterHour }) => afterHour)})${STOP})`
const FIGURES = '#[#][(:|.|h)##|h]'

/** Hours of the day, in figures and in words. */
const CLOCK = [
  `${FREE}(?:${clockPattern(({ clock }) => clock)})${AFTER_HOUR}`,
  `${FREE}(?:${clockPattern(({ clockWithUnit }) => clockWithUnit, STOP)})`,
  `${FREE}(?:${clockPattern(({ clockAtClauseEnd }) => clockAtClauseEnd)})(?=[.,;!?]|$)`,
  `\\d{1,2}:\\d{2}|${HAN_NUMBER} ?(?:${unspaced(({ hourUnits }) => hourUnits)})`,
]

/** Phrases of one list, with the hours of their language, as alternatives of a pattern. */
function clockPattern(select: (answers: AnswerWords) => string | undefined, end = ''): string {
  return languagesWith(({ answers }) => answers && select(answers))
    .flatMap(({ answers = {} }: Language) => {
      const hours = `(${(answers.hours ?? '').trim().split(/\s+/).join('|')})`
      return listPhrases(select(answers)).map((phrase) =>
        markedToPattern(phrase.replaceAll('<hour>', hours).replaceAll('<figures>', FIGURES), WRITTEN, end),
      )
    })
    .join('|')
}

function form(...alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join('|'), 'gu')
}

const NUMBER = form(`${FREE}${DIGITS}`, `${FREE}(?:${NUMBER_WORDS})${STOP}`, `${HAN_NUMBER}`)

/** Patterns of answers by kind. Every repetition is bounded, so that a search is linear. */
export const EVIDENCE_FORMS: Readonly<Partial<Record<AnswerKind, RegExp>>> = {
  percentage: form(
    `${FREE}${AMOUNT} ?(?:%|％|‰|${words(({ percent }) => percent)})`,
    `${unspaced(({ percent }) => percent)}${HAN_NUMBER}`,
    `${FREE}(?:${words(({ fractions }) => fractions)})${STOP}`,
    `${HAN_AMOUNT} ?(?:${unspaced(({ fractions }) => fractions)})`,
  ),
  money: form(
    `[$€£¥₽₹] ?${DIGITS}`,
    `${FREE}${AMOUNT} ?(?:[$€£¥₽₹]|(?:(?:${MILLIONS})(?: de)? ?)?(?:US ?)?` +
      `(?:[$€£¥]|${words(({ currencies }) => currencies)}|${CODES}|(?:${CURRENCY_SIGNS})${STOP}))`,
    `${FREE}(?:${CODES}|RMB|Fr\\.|(?:${CURRENCY_SIGNS})\\.?) ?${DIGITS}`,
    `${HAN_AMOUNT} ?(?:${unspaced(({ currencies }) => currencies)})|${unspaced(({ prices }) => prices)}`,
  ),
  duration: form(
    `${FREE}${AMOUNT}[ -](?:\\p{L}{1,12}[ -])?(?:${words(({ timeUnits }) => timeUnits)})${STOP}`,
    `${HAN_NUMBER} ?(?:${unspaced(({ timeUnits }) => timeUnits)})`,
    `${FREE}(?:${words(({ lasting }) => lasting)}) (?:${words(({ timeUnits }) => timeUnits)})${STOP}`,
    `${FREE}(?:${words(({ until }) => until)}) \\d{1,2}(?:st|nd|rd|th|\\.)? (?:de )?(?:${MONTHS})${STOP}`,
    `${FREE}(?:1\\d{3}|20\\d{2}) ?(?:–|-|${words(({ rangeTo }) => rangeTo)}) ?(?:1\\d{3}|20\\d{2})`,
  ),
  date: form(
    `${FREE}\\d{4}-\\d{2}-\\d{2}${STOP}`,
    `${FREE}(?:1[0-9]\\d{2}|20\\d{2})(?:s|er|-х)?${STOP}`,
    `${FREE}(?:\\d{1,2}(?:st|nd|rd|th|er|\\.)? (?:de |of )?)?(?:${MONTHS})${STOP}`,
    `${FREE}\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}${STOP}`,
    `${FREE}(?:\\d{1,2}(?:st|nd|rd|th|\\.)?|[IVXLivxl]{1,6}|\\p{Ll}{4,15})(?: |-)` +
      `(?:${words(({ centuries }) => centuries)})${STOP}`,
    `${FREE}\\d{1,4} ?(?:BC|AD|BCE|CE|v\\. ?Chr|n\\. ?Chr|a\\. ?C|до н)`,
    `${FREE}(?:${words(({ weekdays }) => weekdays)})${STOP}`,
    unspaced(({ weekdays }) => weekdays),
    ...CLOCK,
    `${HAN_NUMBER} ?(?:${unspaced(({ dateUnits }) => dateUnits)})`,
  ),
  hour: form(...CLOCK, `${FREE}\\d{1,2} ?h(?:\\d{2})?${STOP}`),
  measure: form(
    `${FREE}${AMOUNT}[ -]?(?:${MEASURE_SIGNS}|${words(({ measures }) => measures)})(?![\\p{L}\\p{N}])`,
    `${HAN_AMOUNT} ?(?:${unspaced(({ measures }) => measures)}|kg|g|cm|mm|m)`,
  ),
  identifier: form(
    '(?<![\\p{L}\\p{N}.,/-])\\+?\\(?\\d(?!\\d?[./]\\d{1,2}[./]|\\d{3}-\\d\\d-)[\\d ()/.-]{4,20}\\d' +
      '(?![\\p{L}\\p{N}%]| ?[€$£%]|,\\d)',
    '(?<![\\p{L}\\p{N}.,-]|\\d[/:])#?(?=[\\p{Lu}\\d/._-]{3,30}(?![\\p{L}\\p{N}%/._-]| ?[€$£%]|,\\d))' +
      '(?=[\\p{Lu}/._-]{0,20}\\d)(?!\\d{1,2}[./]\\d{1,2}[./]|\\d{4}-\\d\\d-)[\\p{Lu}\\d/._-]{2,29}[\\p{Lu}\\d]',
  ),
  email: form('(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\d._%+-]{1,60}@(?:[\\p{L}\\d-]{1,40}\\.){1,4}\\p{L}{2,20}'),
  version: form(
    '(?<![\\p{Lu}\\p{Ll}\\p{N}.,])(?!\\d{1,2}\\.\\d{1,2}\\.\\d{4})[vV]?\\d{1,4}(?:\\.\\d{1,5}){1,3}' +
      '(?![\\p{Lu}\\p{Ll}\\p{N}]|[.,]\\d| ?[€$£%])',
    `${FREE}(?!(?:${MONTHS}) )\\p{Lu}\\p{L}{1,20} \\d{1,3}(?![\\p{N}.:,]\\d|\\p{N})`,
    `${FREE}(?:[vV]|version|release) ?\\d{1,4}${STOP}`,
  ),
  amount: NUMBER,
  number: NUMBER,
  parties: form(
    `${FREE}(?:${BETWEEN}) (?=[^\\n]{0,60}\\p{Lu})[^\\n]{2,200}? (?:${words(({ and }) => and)}) `,
    '[（(](?:以下简称)?["“「]?[甲乙]方|[甲乙]方[:：]',
  ),
  permission: form(
    `${FREE}(?:${words(({ permission }) => permission)})${STOP}`,
    unspaced(({ permission }) => permission),
  ),
  person: form(NAME, HAN_NAME),
  place: form(NAME, `[\\p{Script=Han}]{1,6}(?:${unspaced(({ placeEndings }) => placeEndings)})`),
  organization: form(
    NAME,
    `${FREE}\\p{Lu}{2,6}${STOP}`,
    `[\\p{Script=Han}]{1,12}(?:${unspaced(({ organizationEndings }) => organizationEndings)})`,
  ),
  reason: form(
    `${FREE}(?:${words(({ reasons }) => reasons)})${STOP}`,
    unspaced(({ reasons }) => reasons),
  ),
}

/** Words of opening hours and of days of rest, over texts of `normalizeForMatch`. */
export const OPEN = normalizedWords(({ open }) => open)
export const CLOSED = normalizedWords(({ closed }) => closed)

function normalizedWords(select: (answers: AnswerWords) => string | undefined): RegExp {
  const spaced = wordPattern(({ answers }) => (answers === undefined ? undefined : select(answers)), NORMALIZED)
  return new RegExp(` (?:${spaced}) |${unspaced(select)}`, 'u')
}

/** Units without an amount, as table headers have them. */
export const UNIT_FORMS: Readonly<Partial<Record<AnswerKind, RegExp>>> = {
  money: new RegExp(
    `[$€£¥₽₹]|${FREE}(?:${CODES}|${words(({ currencies }) => currencies)}|${CURRENCY_SIGNS})${STOP}`,
    'u',
  ),
  percentage: new RegExp(`[%％‰]|${FREE}(?:${words(({ percent }) => percent)})`, 'u'),
  duration: new RegExp(`${FREE}(?:${words(({ timeUnits }) => timeUnits)})${STOP}`, 'iu'),
  measure: new RegExp(`${FREE}(?:${MEASURE_SIGNS}|${words(({ measures }) => measures)})${STOP}`, 'u'),
}

/** A capitalized first word that may be a name: "Mara rows every morning." */
const FIRST_WORD = `^["“„«(]?(?!(?:${words(({ noNames }) => noNames)}) )\\p{Lu}\\p{Ll}{1,30}(?= \\p{Ll})`
export const FIRST_NAME = new RegExp(FIRST_WORD, 'gu')
const PEOPLE =
  `\\p{L}{2,20}(?:${words(({ peopleEndings }) => peopleEndings)})` +
  `(?:${words(({ peopleInflections }) => peopleInflections)})?|${words(({ people }) => people)}`
const TIMES = words(({ times }) => times)
const AMOUNTS = words(({ amounts }) => amounts)
/** Words of repetition, and of time. */
export const FREQUENCY = anyWordOf(`${TIMES}|${words(({ frequencies }) => frequencies)}|\\d ?[x×]`)
/** "every quarter", "once a month", "daily at 8", but not "every village" or "the monthly rent". */
export const REPETITION = new RegExp(
  `${FREQUENCY.source}(?=(?: \\p{L}{1,4})? (?:${TIMES}|${words(({ timeUnits }) => timeUnits)}|` +
    `${words(({ weekdays }) => weekdays)})${STOP}|[.,;!?)]|$| \\p{L}{1,2} \\d)`,
  'giu',
)
const ANY_AMOUNT = anyWordOf(`${AMOUNTS}|${TIMES}`)
const TIME = new RegExp(
  `${anyWordOf(TIMES).source}|\\d{1,2}(?:[:.]\\d{2})? ?(?:[ap]\\.?m|Uhr|h|o'clock|BP)(?!\\p{L})`,
  'iu',
)

function anyWordOf(list: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu')
}

/**
 * Looser patterns of answers: "before each meal", "the whole crew". Every repetition is bounded.
 */
export const LOOSE_FORMS: Readonly<Partial<Record<AnswerKind, RegExp>>> = {
  date: TIME,
  hour: TIME,
  duration: ANY_AMOUNT,
  number: ANY_AMOUNT,
  measure: ANY_AMOUNT,
  amount: anyWordOf(AMOUNTS),
  percentage: ANY_AMOUNT,
  identifier: /\d{3}/,
  money: anyWordOf(words(({ prices }) => prices)),
  parties: anyWordOf(BETWEEN),
  person: new RegExp(`${inAnyCase(anyWordOf(PEOPLE).source)}|${FIRST_WORD}`, 'u'),
}
