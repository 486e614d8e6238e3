import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeWordForMatch } from '../analysis/fold.ts'
import { splitWords } from '../analysis/split-words.ts'

/** One meaningful word of a question, or one pair of characters of a script without spaces. */
export type QuestionUnit = {
  /** Its terms in the languages that were asked for; any of them in a text is the unit. */
  terms: readonly string[]
  /** Written with a capital that is not the question's first letter, or with a digit: an answer elsewhere is rarely one. */
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
/** Question words that are no stop words, or of another language than the memory: they ask and are not asked for. */
const ASKING: ReadonlySet<string> = new Set(
  [
    'what who whom whose which where when why how many much did does do was were is are can could',
    'wer wem wen wessen was wo wohin woher wann warum weshalb wieso wie viel viele wieviel wieviele welche welcher welches welchem welchen',
    'qui que quoi quel quelle quels quelles ou quand pourquoi comment combien est ce',
    'quien quienes cual cuales donde cuando cuanto cuanta cuantos cuantas como por',
    'chi che cosa dove quando perche come quanto quanta quanti quante quale quali',
    'quem onde qual quais quantos quantas wie waar wanneer waarom hoe hoeveel welk welke',
    'kto co gdzie kiedy dlaczego jak ile ktory ktora ktore jaki jaka jakie',
    'кто что кого кому кем чем где куда откуда когда почему зачем как сколько какой какая какое какие каком каким какую который которая которое чей чья',
  ].flatMap((line) => line.split(' ')),
)
/** In Latin letters. */
const CAPITAL_NOUNS: ReadonlySet<string> = new Set(['de'])

/**
 * The words of a question that are looked for, in order, each once, at most 200: without stop words, unless there is nothing else.
 * Empty only where the question has no letter and no digit.
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

/** Each unit once, with its other terms. Those are looked for once a word, and no longer than units are wanted: a question may be one character, ten thousand times. */
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

/** True where every noun has a capital, so that none tells a name. The first is the language of the question, or that which most of the memory is written in. */
export function hasCapitalNouns(languages: readonly string[]): boolean {
  return CAPITAL_NOUNS.has(languages[0] ?? '')
}

function isAsking(word: string): boolean {
  return ASKING.has(normalizeWordForMatch(word))
}

/**
 * Forms of to be, and of to be able (in Spanish those of who asks alone), that questions are made with and lists of frequent words lack, by ISO 639-1. In Spanish the past
 * forms and "puede" say more than they ask: without them .7 points fewer of the first sentences hold the answer. A search keeps all of them: as stop words
 * they cost Spanish and Russian questions .03 to .1 points of nDCG@10.
 */
const AUXILIARY: Readonly<Record<string, string>> = {
  es: 'es son está están hay puedo puedes podemos debo debes debemos',
  fr: 'peut peuvent peux puis pouvait pouvoir doit doivent dois devoir faut fait font faire',
  it: 'può possono posso poteva potere deve devono devo dovere bisogna',
  pt: 'é são está estão há posso podemos devo devemos',
  ru: 'является являются являлся являлась являлось может могут можно нужно надо должен должна должно должны',
}
const WORDS = new Map(
  Object.entries(AUXILIARY).map(([language, words]) => [
    language,
    new Set(words.split(' ').map(normalizeWordForMatch)),
  ]),
)

/** True for a word of a question in a language (ISO 639-1) that helps to ask and is not asked for. */
function isAuxiliary(word: string, language: string): boolean {
  return WORDS.get(language)?.has(normalizeWordForMatch(word)) ?? false
}
