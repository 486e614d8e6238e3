import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeWordForMatch } from '../analysis/fold.ts'
import { splitWords } from '../analysis/split-words.ts'
import { listWords } from '../languages/language.ts'
import { LANGUAGES, wordsOfAll } from '../languages/languages.ts'

/** One meaningful word of a question, or one pair of characters of a script without spaces. */
export type QuestionUnit = {
  /** Its terms in the languages that were asked for; any of them in a text is the unit. */
  terms: readonly string[]
  /**
   * Written with a capital that is not the question's first letter, or with a digit: an answer
   * elsewhere is rarely one.
   */
  isName: boolean
  /** As it stands in the question. */
  word: string
  /** Those of its terms that other words for the same have. */
  others: readonly string[]
}

/** More words say no more; every sentence is compared with each. */
const MOST_UNITS = 200
const CAPITAL = /^\p{Lu}/u
const LATIN = /\p{scx=Latn}/u
const DIGIT = /\p{Nd}/u
/**
 * Question words that are no stop words, or of another language than the memory: they ask and are
 * not asked for.
 */
const ASKING: ReadonlySet<string> = new Set(wordsOfAll(({ questionWords }) => questionWords))

/**
 * The words of a question that are looked for, in order, each once, at most 200: without stop
 * words, unless there is nothing else. Empty only where the question has no letter and no digit.
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
  const asked = [...places].filter(([, { word }]) => !isAsking(word) && !isAuxiliary(word, spoken))
  const all = (asked.length > 0 ? asked : [...places]).map(([, unit]) => unit)
  return listDistinct(all, (word) => analyzer.otherTerms(word, query))
}

type Placed = { terms: ReadonlySet<string>; isName: boolean; word: string }

/**
 * Each unit once, with its other terms. Those are looked for once a word, and no longer than units
 * are wanted: a question may be one character, ten thousand times.
 */
function listDistinct(places: readonly Placed[], othersOf: (word: string) => readonly string[]): QuestionUnit[] {
  const units: QuestionUnit[] = []
  const seen = new Set<string>()
  const others = new Map<string, readonly string[]>()
  for (const { terms: own, isName, word } of places) {
    if (units.length === MOST_UNITS) break
    const found = others.get(word) ?? othersOf(word)
    others.set(word, found)
    const terms = [...new Set([...own, ...found])]
    if (terms.every((term) => !seen.has(term))) units.push({ terms, isName, word, others: [] })
    for (const term of terms) seen.add(term)
  }
  return units
}

/** The meaningful words of a question as they were typed, folded, of scripts with spaces. */
export function readQuestionWords(analyzer: Analyzer, question: string, languages: readonly string[]): string[] {
  const { words, languages: spoken } = analyzer.queryTerms(question, languages)
  const asked = words.filter((word) => !isAuxiliary(word, spoken[0] ?? ''))
  return asked.length > 0 ? asked : words
}

/**
 * True where every noun has a capital, so that none tells a name. The first is the language of the
 * question, or that which most of the memory is written in.
 */
export function hasCapitalNouns(languages: readonly string[]): boolean {
  return LANGUAGES[languages[0] ?? '']?.hasCapitalNouns === true
}

function isAsking(word: string): boolean {
  return ASKING.has(normalizeWordForMatch(word))
}

const AUXILIARIES = new Map(
  Object.values(LANGUAGES).map(({ code, auxiliaries }) => [
    code,
    new Set(listWords(auxiliaries).map(normalizeWordForMatch)),
  ]),
)

/**
 * True for a word of a question in a language (ISO 639-1) that helps to ask and is not asked for.
 */
function isAuxiliary(word: string, language: string): boolean {
  return AUXILIARIES.get(language)?.has(normalizeWordForMatch(word)) ?? false
}
