import type { Analyzer } from '../analysis/analyzer.ts'
import { findPeriods, findPeriodTokens, toPeriodQueryTerms } from '../analysis/find-periods.ts'
import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import { splitWords } from '../analysis/split-words.ts'
import { HANGUL, UNSPACED } from '../analysis/unspaced-terms.ts'
import type { Span } from '../chunking/split-text.ts'
import { listWords } from '../languages/language.ts'
import { hasCapitalNouns, LANGUAGES, wordsOfAll } from '../languages/languages.ts'
import { NORMALIZED, wordsToPattern } from '../phrases.ts'

/** A meaningful word of a question, or a bigram of a script without spaces. */
export type QuestionUnit = {
  /** Terms in the requested languages; any of them matches. */
  terms: readonly string[]
  /**
   * Capitalized after the first word, or with a digit: a passage without the name is rarely an
   * answer.
   */
  isName: boolean
  /** As written in the question. */
  word: string
  /** The terms that come from synonyms. */
  synonyms: readonly string[]
}

/** Limit, because every sentence is compared with each unit. */
const MAX_UNITS = 200
const CAPITAL = /^\p{Lu}/u
const LATIN = /\p{scx=Latn}/u
const DIGIT = /\p{Nd}/u
/** Interrogatives that are no stop words, or that belong to another language than the memory. */
const INTERROGATIVES: ReadonlySet<string> = new Set(wordsOfAll(({ questionWords }) => questionWords))

/**
 * Returns the distinct words to search for, in order, at most 200, without stop words unless there
 * are no others. Empty only if the question has no letter and no digit.
 */
export function readQuestionUnits(analyzer: Analyzer, question: string, languages: readonly string[]): QuestionUnit[] {
  const query = analyzer.queryTerms(question, languages)
  const wanted = new Set(query.terms)
  const spoken = query.languages[0] ?? ''
  const areCapitalsCommon = hasCapitalNouns(query.languages)
  const firstWord = splitWords(question)[0]?.start ?? 0
  const places = new Map<string, { terms: Set<string>; isName: boolean; word: string }>()
  for (const language of languages) {
    for (const { term, start, end } of analyzer.tokens(question, language)) {
      if (!wanted.has(term)) continue
      const word = question.slice(start, end)
      const isCapital = start > firstWord && CAPITAL.test(word) && !(areCapitalsCommon && LATIN.test(word))
      const isName = isCapital || DIGIT.test(term)
      const unit = places.get(`${start}-${end}`) ?? { terms: new Set(), isName, word }
      unit.terms.add(term)
      places.set(`${start}-${end}`, unit)
    }
  }
  const asked = [...places].filter(([, { word }]) => !isInterrogative(word) && !isAuxiliary(word, spoken))
  const all = (asked.length > 0 ? asked : [...places]).map(([, unit]) => unit)
  return listDistinct(all, (word) => analyzer.variantTerms(word, query))
}

type Placed = { terms: ReadonlySet<string>; isName: boolean; word: string }

/**
 * Keeps each unit once, with its variants. Variants are computed once per word, and only until the
 * limit: a question may repeat one character ten thousand times.
 */
function listDistinct(places: readonly Placed[], othersOf: (word: string) => readonly string[]): QuestionUnit[] {
  const units: QuestionUnit[] = []
  const seen = new Set<string>()
  const others = new Map<string, readonly string[]>()
  for (const { terms: own, isName, word } of places) {
    if (units.length === MAX_UNITS) break
    const found = others.get(word) ?? othersOf(word)
    others.set(word, found)
    const terms = [...new Set([...own, ...found])]
    if (terms.every((term) => !seen.has(term))) units.push({ terms, isName, word, synonyms: [] })
    for (const term of terms) seen.add(term)
  }
  return units
}

/** Returns the meaningful words of a question as typed, folded, of scripts with spaces. */
export function readQuestionWords(analyzer: Analyzer, question: string, languages: readonly string[]): string[] {
  const { words, languages: spoken } = analyzer.queryTerms(question, languages)
  const asked = words.filter((word) => !isAuxiliary(word, spoken[0] ?? ''))
  return asked.length > 0 ? asked : words
}

function isInterrogative(word: string): boolean {
  return INTERROGATIVES.has(normalizeWordForMatch(word))
}

const AUXILIARIES = new Map(
  Object.values(LANGUAGES).map(({ code, auxiliaries }) => [
    code,
    new Set(listWords(auxiliaries).map(normalizeWordForMatch)),
  ]),
)

/** True for an auxiliary verb of a question in a language (ISO 639-1). */
function isAuxiliary(word: string, language: string): boolean {
  return AUXILIARIES.get(language)?.has(normalizeWordForMatch(word)) ?? false
}

/** A date or period of a question: its words, and where a text has it in any form. */
export type AskedPeriod = {
  /** True for a word of the question that is a part of the period. */
  hasWord(word: string): boolean
  find(text: string): Span[]
}

/**
 * Lists the dates and periods of a question in a language (ISO 639-1). `2026-01-12` has the words
 * of "12 January".
 */
export function listAskedPeriods(question: string, language: string): AskedPeriod[] {
  return findPeriods(question, language).map(({ values, start, end }) => {
    const words = normalizeForMatch(question.slice(start, end))
    const terms = new Set(toPeriodQueryTerms(values))
    return {
      hasWord: (word) => words.includes(` ${normalizeWordForMatch(word)} `),
      find: (text) => findPeriodTokens(text, terms, language),
    }
  })
}

const CLAUSE_END = /[,;?!，；？！、]/u

/**
 * Lists the units in the clause that names a situation: "Gwen" and "away" of "Who waters the plants
 * while Gwen is away?". None for a language (ISO 639-1) without such words.
 */
export function listSituationUnits(
  question: string,
  units: readonly QuestionUnit[],
  language: string,
): ReadonlySet<number> {
  const { questions, isUnspaced = false } = LANGUAGES[language] ?? {}
  const starts = wordsToPattern(questions?.situations, NORMALIZED)
  const ends = wordsToPattern(questions?.situationEnds, NORMALIZED)
  // Elsewhere the Japanese end means "inside": 箱の中の.
  const forms = [
    ...(starts === '' ? [] : [new RegExp(` (?:${starts})( .*)`, 'u')]),
    ...(ends === '' ? [] : [new RegExp(`^(.*?)(?<!の)(?:${ends})${isUnspaced ? '' : ' '}`, 'u')]),
  ]
  const clauses = forms.length === 0 ? [] : question.split(CLAUSE_END).map(normalizeForMatch)
  const situations = clauses.flatMap((clause) => forms.map((form) => `${form.exec(clause)?.[1] ?? ''} `))
  const isPart = (word: string) => UNSPACED.test(word) || HANGUL.test(word)
  const isSaid = (word: string) => situations.some((clause) => clause.includes(isPart(word) ? word : ` ${word} `))
  return new Set(units.flatMap(({ word }, index) => (isSaid(normalizeWordForMatch(word)) ? [index] : [])))
}
