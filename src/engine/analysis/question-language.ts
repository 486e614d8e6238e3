import stopword from 'stopword'
import { listWords } from '../languages/language.ts'
import { LANGUAGES } from '../languages/languages.ts'
import { normalizeWord } from './fold.ts'

/** Scripts of one language only. Kana precedes Han, which Japanese uses as well. */
const OWN_SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{sc=Hira}\p{sc=Kana}]/u],
  ['zh', /\p{sc=Han}/u],
  ['ko', /\p{sc=Hang}/u],
  ['el', /\p{sc=Grek}/u],
  ['he', /\p{sc=Hebr}/u],
  ['bn', /\p{sc=Beng}/u],
  ['gu', /\p{sc=Gujr}/u],
  ['ta', /\p{sc=Taml}/u],
  ['te', /\p{sc=Telu}/u],
  ['ka', /\p{sc=Geor}/u],
  ['hy', /\p{sc=Armn}/u],
]
/** Marks that only Spanish uses. */
const SPANISH_MARKS = /[¿¡]/u
const WORD = /\p{L}[\p{L}\p{M}]*/gu
/** Interrogatives weigh more than other frequent words, many of which several languages share. */
const WEIGHTS = { interrogative: 2, frequent: 1, marks: 2 } as const
const MAX_CHARACTERS = 500

type FrequentWords = { language: string; interrogatives: ReadonlySet<string>; frequent: ReadonlySet<string> }

const FREQUENT_WORDS: readonly FrequentWords[] = Object.values(LANGUAGES).flatMap(
  ({ code, stopWords: list, askingWords, questionWords }) =>
    list === undefined
      ? []
      : [
          {
            language: code,
            interrogatives: new Set([...listWords(askingWords), ...listWords(questionWords)].map(normalizeWord)),
            frequent: new Set((stopword[list] ?? []).map(normalizeWord)),
          },
        ],
)

/**
 * Returns the language of a question (ISO 639-1) by its script and its frequent words; `null` if
 * both fit no language. Of languages that fit as well, one of `preferred` wins. Works for a few
 * words, for which a language detector is unreliable.
 */
export function readQuestionLanguage(question: string, preferred: readonly string[]): string | null {
  const text = question.slice(0, MAX_CHARACTERS)
  const words = [...text.matchAll(WORD)].map(([word]) => normalizeWord(word))
  const own = OWN_SCRIPTS.find(([, script]) => isMostly(words, script))
  if (own !== undefined) return own[0]
  const votes = FREQUENT_WORDS.map(({ language, interrogatives, frequent }) => ({
    language,
    count:
      words.reduce((sum, word) => sum + weightOf(word, { interrogatives, frequent }), 0) +
      (language === 'es' && SPANISH_MARKS.test(text) ? WEIGHTS.marks : 0),
  }))
  const most = Math.max(...votes.map(({ count }) => count))
  if (most === 0) return null
  const best = votes.filter(({ count }) => count === most).map(({ language }) => language)
  return preferred.find((language) => best.includes(language)) ?? COMMON.find((code) => best.includes(code)) ?? null
}

/** Languages by the number of their speakers on the web, for words that several languages share. */
const COMMON: readonly string[] = [
  ...['en', 'es', 'de', 'ru', 'fr', 'pt', 'it', 'nl', 'pl', 'ar', 'fa', 'hi'],
  ...Object.keys(LANGUAGES),
]

function weightOf(word: string, { interrogatives, frequent }: Omit<FrequentWords, 'language'>): number {
  return interrogatives.has(word) ? WEIGHTS.interrogative : frequent.has(word) ? WEIGHTS.frequent : 0
}

/** Half of the words: a foreign name alone decides nothing. */
function isMostly(words: readonly string[], script: RegExp): boolean {
  const found = words.filter((word) => script.test(word)).length
  return found > 0 && 2 * found >= words.length
}

/** True for an interrogative, or a word of grammar, of a language (ISO 639-1). */
export function isFrequentWord(word: string, language: string): boolean {
  const known = FREQUENT_WORDS.find((one) => one.language === language)
  const plain = normalizeWord(word)
  return known !== undefined && (known.interrogatives.has(plain) || known.frequent.has(plain))
}

/** Frequent words of a sentence; a name or an address may contain one. */
const MIN_FREQUENT_WORDS = 2
/** Characters of a sentence in a script without spaces. */
const MIN_UNSPACED_CHARACTERS = 8
/** Scripts of several languages. */
const SHARED_SCRIPTS = [/\p{sc=Latn}/u, /\p{sc=Cyrl}/u, /\p{sc=Arab}/u, /\p{sc=Deva}/u]

/**
 * Returns the language (ISO 639-1) of a sentence outside `languages`; `null` for other texts, and
 * without languages.
 */
export function readForeignLanguage(question: string, languages: readonly string[]): string | null {
  const spoken = readQuestionLanguage(question, languages)
  if (spoken === null || languages.length === 0 || languages.includes(spoken)) return null
  const text = question.slice(0, MAX_CHARACTERS)
  return isSentence(text, spoken) || isInterrogativeInOtherScript(text, spoken, languages) ? spoken : null
}

function isSentence(text: string, language: string): boolean {
  if (LANGUAGES[language]?.isUnspaced === true) return (text.match(/\p{L}/gu)?.length ?? 0) >= MIN_UNSPACED_CHARACTERS
  const words = text.match(WORD) ?? []
  return words.filter((word) => isFrequentWord(word, language)).length >= MIN_FREQUENT_WORDS
}

/** A question in a script that none of the languages uses needs no second frequent word. */
function isInterrogativeInOtherScript(text: string, language: string, languages: readonly string[]): boolean {
  const words = [...text.matchAll(WORD)].map(([word]) => normalizeWord(word))
  const script = SHARED_SCRIPTS.find((one) => isMostly(words, one))
  const known = FREQUENT_WORDS.filter((one) => languages.includes(one.language))
  if (script === undefined || known.some(({ frequent }) => [...frequent].some((word) => script.test(word))))
    return false
  const asked = FREQUENT_WORDS.find((one) => one.language === language)
  return words.some((word) => asked?.interrogatives.has(word))
}
