import type { Analyzer } from '../../analysis/analyzer.ts'
import { normalizeForMatch, normalizeWordForMatch } from '../../analysis/fold.ts'
import { listPlainNumbers, plainNumber, WRITTEN_NUMBER } from '../../analysis/plain-number.ts'
import type { AnswerKind } from '../../languages/language.ts'
import { NORMALIZED, phrasesOfAll, phraseToPattern } from '../../phrases.ts'
import { MONTH } from '../evidence-patterns.ts'
import type { QuestionUnit } from '../question-units.ts'
import type { ReadSentence } from '../read-sentences.ts'

/**
 * A number after a word, which identifies one of several: `order 8812`, `Invoice no. 2026-0417`,
 * `Version 4.2`, `CS-1107`.
 */
const BEHIND = new RegExp(
  String.raw`(?:-|\s{0,3}(?:[#№]|n[or][.º°]?|n[º°])?\s{0,3})(${WRITTEN_NUMBER})(?![\p{L}\p{Nd}]|[.,\/–\-]\p{Nd})`,
  'iuy',
)
/** Questions with more numbers ask for no particular one. Each is compared with every sentence. */
const MAX_NUMBERS = 20
const RANGE = /^(\d+)-(\d+)$/
/** The number in `March 12` is a day and does not contradict `March 2024`. */
const YEAR = /^(?:1[5-9]|20)\d\d$/
const WORD = /\p{L}{2}/u

/**
 * Letters that name a kind, and a number: `E02`, `P1`, `T-1`. Chinese text may precede and follow.
 */
const CODE = /(?<![\p{Lu}\p{Ll}\p{Nd}])(\p{Lu}{1,4})[-_]?(\d{1,6})(?![\p{Lu}\p{Ll}\p{Nd}])/gu

/** A question unit with the number after it; `next` is the unit after the number, if any. */
type Numbered = { unit: number; number: string; next: number | null }

/**
 * Creates a test for texts that mention a thing of the question with another number: `Order 8830`
 * for `order 8899`, `E01` for `E02`. A quantity before the same word is no name: "up to 20 people",
 * "30 people".
 */
export function createUnaskedNameTest(
  analyzer: Analyzer,
  { text: question, languages }: { text: string; languages: readonly string[] },
  units: readonly QuestionUnit[],
): (text: string) => boolean {
  const unitOf = new Map(units.flatMap(({ terms }, index) => terms.map((term) => [term, index] as const)))
  const read = (text: string): Numbered[] => {
    const matches = analyzer.findTerms(text, [...unitOf.keys()], languages)
    const unitAt = new Map(matches.map(({ term, start }) => [start, unitOf.get(term) ?? null]))
    return matches.flatMap(({ term, start, end }) => {
      const unit = unitOf.get(term)
      BEHIND.lastIndex = end
      const [, number] = (WORD.test(text.slice(start, end)) && BEHIND.exec(text)) || []
      if (unit === undefined || number === undefined) return []
      const behind = BEHIND.lastIndex + (/^\s+/.exec(text.slice(BEHIND.lastIndex))?.[0].length ?? 0)
      return [{ unit, number: plainNumber(number), next: unitAt.get(behind) ?? null }]
    })
  }
  const mentioned = listPlainNumbers(question)
  const asked = mentioned.length > 0 && mentioned.length <= MAX_NUMBERS ? read(question) : []
  const namesOtherCode = createNamesOtherCode(question)
  return (text) => {
    if (namesOtherCode(text)) return true
    const own = asked.length > 0 ? read(text) : []
    const numbers = own.length > 0 ? listPlainNumbers(text) : []
    return asked.some(({ unit, number, next }) => {
      const same = own.filter((other) => other.unit === unit)
      if (same.length === 0 || numbers.includes(number)) return false
      return same.every(
        (other) =>
          !isAmong(other.number, mentioned) &&
          (next === null || other.next !== next) &&
          YEAR.test(other.number) === YEAR.test(number),
      )
    })
  }
}

function createNamesOtherCode(question: string): (text: string) => boolean {
  const asked = listCodes(question)
  return (text) => {
    const own = asked.length > 0 ? listCodes(text) : []
    return asked.some(({ letters, number }) => {
      const alike = own.filter((other) => other.letters === letters)
      return alike.length > 0 && alike.every((other) => other.number !== number)
    })
  }
}

function listCodes(text: string): { letters: string; number: number }[] {
  return [...text.matchAll(CODE)].map(([, letters = '', digits]) => ({ letters, number: Number(digits) }))
}

/**
 * True for an equal number, a more or less precise one (`4.2`, `4.2.1`, `4`), or a range that
 * includes one.
 */
export function isAmong(number: string, numbers: readonly string[]): boolean {
  const [, from, to] = RANGE.exec(number) ?? []
  return numbers.some((one) => {
    if (`${number}.`.startsWith(`${one}.`) || `${one}.`.startsWith(`${number}.`)) return true
    return from !== undefined && /^\d+$/.test(one) && Number(from) <= Number(one) && Number(one) <= Number(to)
  })
}

/**
 * Question with its meaningful words (`normalizeForMatch`), and whether its language capitalizes
 * all nouns.
 */
type Asked = { text: string; kind: AnswerKind; words: readonly string[]; hasCapitalNouns: boolean }

/** A year with the preceding word. */
const ANCHORED_YEAR = /(?<![\p{L}\p{N}])(\p{L}{1,20})\.? ((?:1[5-9]|20)\d\d)(?![\p{L}\p{N}]|[.,/–-]\d)/gu
/** A noun with a name: `Lake Ardal`, `Gallery Miró`. */
const NAMED = /(?<![\p{L}\p{N}])(\p{L}{3,30})(?= (\p{Lu}\p{L}{2,30})(?![\p{L}\p{N}]))/gu
/**
 * Names with the same first letters may be inflections or misspellings; inflection changes the last
 * letters.
 */
const SAME_LETTERS = 3
const ENDING_LETTERS = 3

/**
 * Creates a test for sentences about another year or another name of the same kind: `In 2024 …` for
 * `in 2023`, `Lake Ardal` for `Lake Morven`. `around` is the sentence with its context, which must
 * contain another name of the kind and not the name asked for. Languages with capitalized nouns
 * have no name test. Years compare after the same word or after months: "until 2035" includes 2030.
 */
export function createOtherEntityTest(question: Asked): (text: string, around: string) => boolean {
  const asked = normalizeForMatch(question.text)
  // "When did the war of 1939 end?" is answered by another year.
  const years = question.kind === 'date' ? [] : listYears(question.text)
  const names = question.hasCapitalNouns
    ? []
    : listNamed(question.text).filter(({ word }) => question.words.includes(normalizeWordForMatch(word)))
  const isOtherYear = (text: string, around: string) =>
    years.length > 0 &&
    !years.some(({ year }) => around.includes(year)) &&
    listYears(text).some(({ anchor }) => years.some((other) => other.anchor === anchor))
  const isOtherName = (around: string) => {
    const known = names.length === 0 ? '' : normalizeForMatch(around)
    const missing = names.filter(({ name }) => !known.includes(` ${stemOf(normalizeWordForMatch(name))}`))
    if (missing.length === 0) return false
    const others = listNamed(around).filter(({ name }) => !asked.includes(` ${normalizeWordForMatch(name)} `))
    return missing.some(({ word, name }) =>
      others.some(
        (other) =>
          normalizeWordForMatch(other.word) === normalizeWordForMatch(word) &&
          normalizeWordForMatch(other.name).slice(0, SAME_LETTERS) !==
            normalizeWordForMatch(name).slice(0, SAME_LETTERS),
      ),
    )
  }
  return (text, around) => isOtherYear(text, around) || isOtherName(around)
}

function listYears(text: string): { anchor: string; year: string }[] {
  return [...text.matchAll(ANCHORED_YEAR)].map(([, word = '', year = '']) => ({
    anchor: MONTH.test(word) ? 'month' : normalizeWordForMatch(word),
    year,
  }))
}

type Named = { word: string; name: string }

function listNamed(text: string): Named[] {
  return [...text.matchAll(NAMED)].map(([, word = '', name = '']) => ({ word, name }))
}

function stemOf(word: string): string {
  return word.slice(0, Math.max(SAME_LETTERS, word.length - ENDING_LETTERS))
}

/**
 * "Does the policy cover …?", "Are … covered?", "Deckt die Police …?", over texts of
 * `normalizeForMatch`.
 */
const ASKS_FOR_THING = phrasesOfAll(({ questions }) => questions?.about).map(
  (phrase) => new RegExp(`^ ${phraseToPattern(phrase, NORMALIZED).replace('{.*}', '(.+)')} $`, 'u'),
)
/** Minimum length of a term that matches within a word: "nut" in "hazelnuts". */
const MIN_PART_LETTERS = 3

/**
 * Creates a test for sentences that mention the thing asked for, with their headings: a policy that
 * covers fires says nothing about earthquakes. Returns `null` if the question asks for no such
 * thing. `text` is the sentence.
 */
export function createSubjectTest(
  question: string,
  units: readonly QuestionUnit[],
): ((text: string, sentence: Pick<ReadSentence, 'units' | 'parent'>) => boolean) | null {
  const asked = normalizeForMatch(question)
  const thing = ASKS_FOR_THING.map((form) => form.exec(asked)?.[1]).find((found) => found !== undefined) ?? ''
  const wanted = units.flatMap(({ word, terms }, index) =>
    ` ${thing} `.includes(` ${normalizeWordForMatch(word)} `) ? [{ index, terms }] : [],
  )
  if (wanted.length === 0) return null
  return (text, { units: own, parent }) => {
    const said = normalizeForMatch(text)
    const isPart = (term: string) => term.length >= MIN_PART_LETTERS && said.includes(term)
    return wanted.some(({ index, terms }) => own.has(index) || parent?.units.has(index) === true || terms.some(isPart))
  }
}
