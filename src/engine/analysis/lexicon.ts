import snowball from 'snowball-stemmers'
import stopword from 'stopword'
import { listWords } from '../languages/language.ts'
import { LANGUAGES } from '../languages/languages.ts'
import { fold, normalizeWord } from './fold.ts'
import { createBaseForms, otherFirstLetters } from './inflections.ts'
import { createEndingStripper, stemArabic, stemHebrew, stemMalay } from './stemmers.ts'

/** Stemming and stop words of one language. */
export type Lexicon = {
  /** ISO 639-1. */
  language: string
  /** Equal for languages with the same stemmer; empty if words are not stemmed. */
  stemmer: string
  /** True if stemming never changes the first letter of a word. */
  keepsFirstLetter: boolean
  /** Other first letters of words with this term. */
  otherFirstLetters(term: string): string[]
  /** True for a stop word; takes the form of `plain`. */
  isStopWord(plainWord: string): boolean
  /** Term of a word as written. Only words of letters are stemmed. */
  termOf(word: string, stemmed: boolean): string
}

/** A few megabytes per language. Words repeat, so that most stems come from the cache. */
const MAX_KEPT_STEMS = 30_000
/** Stemmers that remove prefixes. */
const CHANGING_PREFIXES: ReadonlySet<string> = new Set(['arabic', 'hebrew', 'irish', 'malay', 'tamil'])
/** Stemmers of this project; each takes folded words. */
const OWN_STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  arabic: stemArabic,
  hebrew: stemHebrew,
  malay: stemMalay,
}
const LETTERS = /^[\p{L}\p{M}]{3,40}$/v

/**
 * Creates the lexicon of a language (ISO 639-1). An unknown language gets no stemmer and no stop
 * words.
 */
export function createLexicon(language: string): Lexicon {
  const { stopWords: list, askingWords, isFoldedFirst = false } = LANGUAGES[language] ?? {}
  const { name, stem: stemOf } = createStemmer(language)
  const formOf = isFoldedFirst ? fold : (word: string) => word
  const listed = list === undefined ? [] : (stopword[list] ?? [])
  const stopWords = new Set([...listed, ...listWords(askingWords)].map((word) => formOf(normalizeWord(word))))
  const beginnings = [...otherFirstLetters(language)].map(
    ([base, letters]) => [stem(base), [...letters].map(fold)] as const,
  )
  const beginningsOf = new Map(beginnings)
  let kept = new Map<string, string>()
  // Two generations: words that are used again move to the current one, so that frequent words stay
  // cached.
  let former: ReadonlyMap<string, string> = new Map()

  function stem(word: string): string {
    const form = formOf(normalizeWord(word))
    return (LETTERS.test(form) && stemOf(form)) || fold(form)
  }

  return {
    language,
    stemmer: name,
    keepsFirstLetter: !CHANGING_PREFIXES.has(name),
    otherFirstLetters: (term) => beginningsOf.get(term) ?? [],
    isStopWord: (word) => stopWords.has(formOf(word)),
    termOf(word, stemmed) {
      if (!stemmed) return fold(normalizeWord(word))
      const known = kept.get(word)
      if (known !== undefined) return known
      if (kept.size >= MAX_KEPT_STEMS) {
        former = kept
        kept = new Map()
      }
      const term = former.get(word) ?? stem(word)
      kept.set(word, term)
      return term
    },
  }
}

/** Creates a function that returns folded stems of plain words, with its name. */
function createStemmer(language: string): { name: string; stem: (form: string) => string } {
  const { stemmer: algorithm, endings } = LANGUAGES[language] ?? {}
  const own = algorithm === undefined ? undefined : OWN_STEMMERS[algorithm]
  if (algorithm !== undefined && own !== undefined) return { name: algorithm, stem: (form) => own(fold(form)) }
  if (algorithm !== undefined) {
    const stemmer = snowball.newStemmer(algorithm)
    const baseOf = createBaseForms(language)
    return { name: algorithm, stem: (form) => fold(stemmer.stem(baseOf(form))) }
  }
  if (endings === undefined) return { name: '', stem: fold }
  const strip = createEndingStripper(endings)
  return { name: `without ${endings.letters}`, stem: (form) => strip(fold(form)) }
}
