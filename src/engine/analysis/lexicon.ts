import snowball from 'snowball-stemmers'
import stopword from 'stopword'
import { listWords } from '../languages/language.ts'
import { LANGUAGES } from '../languages/languages.ts'
import { fold, plain } from './fold.ts'
import { createBaseForms, otherBeginnings } from './inflections.ts'
import { createEndingStripper, stemArabic, stemHebrew, stemMalay } from './stemmers.ts'

/** What one language does to words. */
export type Lexicon = {
  /** ISO 639-1. */
  language: string
  /** Equal for languages that make the same terms; empty where words are left as they are. */
  stemmer: string
  /** True where stemming never changes how a word begins. */
  keepsFirstLetter: boolean
  /** The first letters of words that may give a term, other than its own. */
  otherBeginnings(term: string): string[]
  /**
   * True for a word of the language's list of words that carry no meaning; takes the plain form.
   */
  isStopWord(plainWord: string): boolean
  /** The term of a word as it stands in a text; only letters are ever stemmed. */
  termOf(word: string, stemmed: boolean): string
}

/**
 * A few megabytes for a language in full use; a text repeats its words, so a stem is rarely worked
 * out twice.
 */
const MAX_KEPT_STEMS = 30_000
/** These take prefixes off. */
const CHANGING_PREFIXES: ReadonlySet<string> = new Set(['arabic', 'hebrew', 'irish', 'malay', 'tamil'])
/** Stemmers of our own; they take folded words. */
const OWN_STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  arabic: stemArabic,
  hebrew: stemHebrew,
  malay: stemMalay,
}
const LETTERS = /^[\p{L}\p{M}]{3,40}$/v

/** The lexicon of a language (ISO 639-1); one without a stemmer or stop words has none. */
export function createLexicon(language: string): Lexicon {
  const { stopWords: list, askingWords, isFoldedFirst = false } = LANGUAGES[language] ?? {}
  const { name, stem: stemOf } = createStemmer(language)
  const formOf = isFoldedFirst ? fold : (word: string) => word
  const listed = list === undefined ? [] : (stopword[list] ?? [])
  const stopWords = new Set([...listed, ...listWords(askingWords)].map((word) => formOf(plain(word))))
  const beginnings = [...otherBeginnings(language)].map(
    ([base, letters]) => [stem(base), [...letters].map(fold)] as const,
  )
  const beginningsOf = new Map(beginnings)
  let kept = new Map<string, string>()
  // Words of these that come again move over, so that the frequent ones are never forgotten.
  let former: ReadonlyMap<string, string> = new Map()

  function stem(word: string): string {
    const form = formOf(plain(word))
    return (LETTERS.test(form) && stemOf(form)) || fold(form)
  }

  return {
    language,
    stemmer: name,
    keepsFirstLetter: !CHANGING_PREFIXES.has(name),
    otherBeginnings: (term) => beginningsOf.get(term) ?? [],
    isStopWord: (word) => stopWords.has(formOf(word)),
    termOf(word, stemmed) {
      if (!stemmed) return fold(plain(word))
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

/** What makes folded stems of plain words, and what it is called. */
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
