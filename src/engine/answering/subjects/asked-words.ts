import type { Analyzer } from '../../analysis/analyzer.ts'
import { normalizeForMatch, normalizeWordForMatch } from '../../analysis/fold.ts'
import { plainNumber } from '../../analysis/plain-number.ts'
import type { AnalyzedWord } from '../../analysis/unspaced-terms.ts'
import type { Span } from '../../chunking/split-text.ts'
import { listWords } from '../../languages/language.ts'
import { hasCapitalNouns, LANGUAGES } from '../../languages/languages.ts'
import { unspacedPattern } from '../../phrases.ts'
import { MONTH } from '../evidence-patterns.ts'
import { type AskedPeriod, listAskedPeriods, type QuestionUnit } from '../question-units.ts'
import { isAmong } from './other-entities.ts'

/** A meaningful word of a question, with its neighbours. */
export type AskedWord = {
  text: string
  /** Terms in all languages, with synonyms; any of them matches. Empty for a literal word. */
  terms: ReadonlySet<string>
  /** True for a script without spaces and for Korean, whose words match as they are written. */
  isLiteral: boolean
  /** True for a name, a number or a code. */
  isName: boolean
  isNumeric: boolean
  /** True for a word that asks, and need not be in an answer: "price", "long", "get". */
  isGeneric: boolean
  /** True if the word before, or the capital, shows a noun. */
  isNoun: boolean
  /** The dates and periods of the question that the word is a part of. */
  periods: readonly AskedPeriod[]
  /** The asked words before and after, with the function words between; `null` if distant. */
  before: Neighbour | null
  after: Neighbour | null
}
type Neighbour = { index: number; gap: string }

/** A word of a text, with the asked words that it matches. */
export type PlacedWord = Pick<AnalyzedWord, 'text' | 'start' | 'end' | 'isFunction'> & {
  /** Term for the comparison with other texts. */
  key: string
  asked: ReadonlySet<number>
  isNumeric: boolean
}

/** More function words separate two statements: "the rent of the flat in the annex". */
const MAX_GAP_WORDS = 3
const MAX_ASKED_WORDS = 40
/** Words of a question before its subject, after a verb: "Why did revenue fall?" */
const MAX_SUBJECT_PLACE = 2
/** A word with a capital first letter. */
export const CAPITAL = /^\p{Lu}/u
const UNSPACED_NOUN = /^[\p{scx=Hani}\p{Script=Katakana}ー]{2,}$/v
const LETTER_NAME = /^\p{Lu}$/u
const NUMERIC = /\p{Nd}|^\p{Lu}$|^[〇零一二两三四五六七八九十百千万]+$/u
const INTERROGATIVE = new RegExp(`^(?:${unspacedPattern(({ askingBeginnings }) => askingBeginnings)})`, 'u')
/** What ends a clause, except for a full stop. */
export const CLAUSE_END = /[,;:!?|\n()[\]…，。；：、！？（）]/u
const FULL_STOP = /\.(?!\p{N})/u
/** A full stop behind fewer letters ends an abbreviation: "Dr. Lind". */
const MIN_LAST_LETTERS = 4
/** Minimum number of equal first letters of two forms of a word whose stems differ. */
const MIN_STEM_LETTERS = 4
const MAX_ENDING_LETTERS = 3
const MIN_PART_LETTERS = 3

type Reading = { units: readonly QuestionUnit[]; languages: readonly string[]; texts: readonly string[] }

/** Returns the meaningful words of a question, in order, at most 40. `texts` may answer it. */
export function readAskedWords(
  analyzer: Analyzer,
  question: string,
  { units, languages, texts }: Reading,
): AskedWord[] {
  const words = analyzer.words(question, languages)
  const unitsOf = (word: AnalyzedWord) => units.filter(({ terms }) => terms.some((term) => word.terms.includes(term)))
  const isMeant = (word: AnalyzedWord) =>
    word.isLiteral ? !word.isFunction && !INTERROGATIVE.test(word.text) : unitsOf(word).length > 0
  // "A" and "I" name things, and are stop words of some languages.
  const isLetter = (word: AnalyzedWord, place: number) => place > 0 && LETTER_NAME.test(word.text) && word.text !== 'I'
  const meant = words
    .flatMap((word, place) => (isMeant(word) || isLetter(word, place) ? [{ word, place }] : []))
    .slice(0, MAX_ASKED_WORDS)
  const neighbour = (index: number, other: number): Neighbour | null => {
    const [one, two] = [meant[Math.min(index, other)], meant[Math.max(index, other)]]
    if (one === undefined || two === undefined || two.place - one.place - 1 > MAX_GAP_WORDS) return null
    const between = question.slice(one.word.end, two.word.start)
    return endsClause(one.word, between) ? null : { index: other, gap: normalizeForMatch(between).trim() }
  }
  const { generic, beforeNouns, inversions, hasCapitals, hasNoArticles } = vocabularyOf(languages)
  const periods = listAskedPeriods(question, languages[0] ?? '')
  let plainTexts: readonly string[] | null = null
  const isThing = (before: string, rest: string) => {
    plainTexts ??= texts.map(normalizeForMatch)
    return namesThing(plainTexts, before, rest)
  }
  return meant.map(({ word, place }, index) => {
    const plain = normalizeWordForMatch(word.text)
    const before = normalizeWordForMatch(words[place - 1]?.text ?? '')
    const thing = words[place - 1]?.isFunction === false ? before : ''
    const own = unitsOf(word)
    const dates = periods.filter(({ hasWord }) => hasWord(word.text))
    const isCount = dates.length === 0 && isQuantity(question, word) && !isThing(thing, question.slice(word.start))
    return {
      isGeneric: generic.has(plain) || isCount,
      isNoun: word.isLiteral
        ? UNSPACED_NOUN.test(word.text)
        : hasNoArticles ||
          beforeNouns.has(before) ||
          (place <= MAX_SUBJECT_PLACE && inversions.has(before)) ||
          (hasCapitals && place > 0 && CAPITAL.test(word.text)),
      text: word.isLiteral ? plain : word.text,
      terms: new Set(word.isLiteral ? [] : [...word.terms, ...own.flatMap(({ terms }) => terms)]),
      isLiteral: word.isLiteral,
      isName: !isCount && (own.some(({ isName }) => isName) || NUMERIC.test(word.text)),
      isNumeric: NUMERIC.test(word.text),
      periods: dates,
      before: neighbour(index, index - 1),
      after: neighbour(index, index + 1),
    }
  })
}

/** True for a number before a noun in small letters, no month: "30 people" may be fewer or more. */
function isQuantity(question: string, { text, end }: AnalyzedWord): boolean {
  const [, noun] = /^ (\p{Ll}{3,})/u.exec(question.slice(end)) ?? []
  return PLAIN.test(text) && noun !== undefined && !MONTH.test(noun)
}

const PLAIN = /^\p{Nd}{1,4}$/u

/**
 * True for a number that names a thing, as in "When does tram 8 run?". A text has the number beside
 * the same word, or another number behind the word before, and none before the word behind. `texts`
 * are in the form of `normalizeForMatch`.
 */
function namesThing(texts: readonly string[], before: string, rest: string): boolean {
  const [, number = '', after = ''] = /^ (\S+) (\S+)/u.exec(normalizeForMatch(rest)) ?? []
  const has = (pattern: string) => {
    const form = new RegExp(` ${pattern} `, 'u')
    return texts.some((text) => form.test(text))
  }
  if (has(`${number} ${after}`) || (before !== '' && has(`${before} ${number}`))) return true
  return before !== '' && has(`${before} \\p{Nd}{1,4}`) && !has(`\\p{Nd}{1,4} ${after}`)
}

/** Listed words of a language, in the form of `normalizeForMatch`. */
type Vocabulary = Readonly<Record<'generic' | 'beforeNouns' | 'inversions', readonly string[]>>

/** Read once per language, when a question needs it. */
const vocabularies = new Map<string, Vocabulary>()

function readVocabulary(code: string): Vocabulary {
  const known = vocabularies.get(code)
  if (known !== undefined) return known
  const { genericWords, meetings, beforeNouns, inversions, questions } = LANGUAGES[code] ?? {}
  // Minutes do not say that they are about a meeting, nor an answer "while" or "if". The words of
  // "in case" have other meanings.
  const conditions = listWords(questions?.conditions).filter((phrase) => !phrase.includes('_'))
  const generic = [...listWords(genericWords), ...listWords(meetings), ...conditions].map(normalizeWordForMatch)
  const fold = (list: string | undefined) => listWords(list).map(normalizeWordForMatch)
  const read = { generic, beforeNouns: fold(beforeNouns), inversions: fold(inversions) }
  if (LANGUAGES[code] !== undefined) vocabularies.set(code, read)
  return read
}

function vocabularyOf(languages: readonly string[]) {
  const all = languages.map(readVocabulary)
  return {
    generic: new Set(all.flatMap(({ generic }) => generic)),
    beforeNouns: new Set(all.flatMap(({ beforeNouns }) => beforeNouns)),
    inversions: new Set(all.flatMap(({ inversions }) => inversions)),
    hasCapitals: hasCapitalNouns(languages),
    // Without articles the word before does not show a noun, so that every word may be one.
    hasNoArticles: LANGUAGES[languages[0] ?? '']?.definitions?.articles === undefined,
  }
}

/** Places the words of a text and matches them with the asked words. */
export function placeWords(
  analyzer: Analyzer,
  text: string,
  { asked, languages }: { asked: readonly AskedWord[]; languages: readonly string[] },
): PlacedWord[] {
  const spans = new Map(
    [...new Set(asked.flatMap(({ periods }) => periods))].map((period) => [period, period.find(text)]),
  )
  const isOfPeriod = ({ periods }: AskedWord, { start, end }: Span) =>
    periods.some((period) => spans.get(period)?.some((span) => span.start < end && start < span.end))
  return analyzer.words(text, languages).map((word, index) => {
    const isLetter = LETTER_NAME.test(word.text) && index > 0
    return {
      text: word.text,
      key: word.terms[0] ?? word.text,
      start: word.start,
      end: word.end,
      isFunction: word.isFunction && !isLetter,
      isNumeric: NUMERIC.test(word.text) && (index > 0 || /\p{Nd}/u.test(word.text)),
      asked: new Set(asked.flatMap((one, at) => (matches(one, word) || isOfPeriod(one, word) ? [at] : []))),
    }
  })
}

function matches(asked: AskedWord, word: AnalyzedWord): boolean {
  if (asked.isLiteral) return word.isLiteral && normalizeWordForMatch(word.text).includes(asked.text)
  if (word.terms.some((term) => asked.terms.has(term))) return true
  if (asked.isNumeric) return isAmong(plainNumber(word.text), [plainNumber(asked.text)])
  if (word.terms.some((term) => [...asked.terms].some((other) => isPart(other, term)))) return true
  return word.terms.some((term) => [...asked.terms].some((other) => areForms(term, other)))
}

/** True for the last part of a compound: "nut" in `hazelnut`. */
function isPart(term: string, compound: string): boolean {
  return term.length >= MIN_PART_LETTERS && compound.length >= term.length + MIN_PART_LETTERS && compound.endsWith(term)
}

/** True if two terms differ in a short ending only: the stemmer may not know the language. */
function areForms(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  const letters = Math.max(MIN_STEM_LETTERS, shorter - MAX_ENDING_LETTERS)
  if (shorter < MIN_STEM_LETTERS || Math.abs(one.length - other.length) > MAX_ENDING_LETTERS) return false
  return one.slice(0, letters) === other.slice(0, letters)
}

/** A word in the place that an asked word has in the question. */
export type Rival = {
  text: string
  /** Side of the neighbour. */
  side: -1 | 1
  /** The function words between the two neighbours are those of the question. */
  isSameGap: boolean
  /** True if the word is on the other side: "opens the sauna", "the pool opens". */
  isOpposite: boolean
  /** No function word is between the word, or the asked word, and the neighbour. */
  isBeside: boolean
  /** An asked word is beyond: "the sauna opens" for "the pool opens". */
  isFlanked: boolean
}

/**
 * Finds words in the place of an asked word: "Hull" in "the shop in Hull" for "Leeds" in "the
 * shop in Leeds". `placed` are the words of the text.
 */
export function findRivals(
  { asked, question }: { asked: readonly AskedWord[]; question: string },
  wanted: AskedWord,
  { text, placed }: { text: string; placed: readonly PlacedWord[] },
): Rival[] {
  return ([-1, 1] as const).flatMap((side) => {
    const neighbour = side < 0 ? wanted.before : wanted.after
    if (neighbour === null || asked[neighbour.index] === undefined) return []
    return placed.flatMap((word, at) => {
      if (!word.asked.has(neighbour.index)) return []
      return ([side < 0 ? 1 : -1, side] as const).flatMap((step) => {
        const found = findContentWord({ text, placed }, at, step)
        if (found === null || !isOfSameSort(wanted, found.word)) return []
        if (question.includes(` ${normalizeWordForMatch(found.word.text)} `)) return []
        const isSameGap = found.gap === neighbour.gap
        const beyond = findContentWord({ text, placed }, found.at, step)
        return [
          {
            ...{ text: found.word.text, side, isSameGap, isOpposite: step === side },
            isBeside: isSameGap && found.gap === '',
            isFlanked: beyond !== null && beyond.word.asked.size > 0,
          },
        ]
      })
    })
  })
}

/** False for an asked word, and for a number or month beside another word: a time is no name. */
function isOfSameSort(wanted: AskedWord, { text, asked, isNumeric }: PlacedWord): boolean {
  return asked.size === 0 && isNumeric === wanted.isNumeric && (!MONTH.test(text) || MONTH.test(wanted.text))
}

/** True if a clause ends in the text behind a word. */
function endsClause({ text }: Pick<AnalyzedWord, 'text'>, behind: string): boolean {
  return CLAUSE_END.test(behind) || (FULL_STOP.test(behind) && text.length >= MIN_LAST_LETTERS)
}

/** Returns the next content word in a direction, within the clause; `null` if there is none. */
function findContentWord(
  { text, placed }: { text: string; placed: readonly PlacedWord[] },
  from: number,
  step: -1 | 1,
): { word: PlacedWord; at: number; gap: string } | null {
  const start = placed[from]
  if (start === undefined) return null
  for (let skipped = 0; skipped <= MAX_GAP_WORDS; skipped++) {
    const at = from + step * (skipped + 1)
    const word = placed[at]
    if (word === undefined) return null
    const between = step > 0 ? text.slice(start.end, word.start) : text.slice(word.end, start.start)
    if (endsClause(step > 0 ? start : word, between)) return null
    if (!word.isFunction) return { word, at, gap: normalizeForMatch(between).trim() }
  }
  return null
}
