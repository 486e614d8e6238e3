import { plain } from './fold.ts'
import { DEFAULT_LANGUAGE } from './languages.ts'
import type { Lexicon } from './lexicon.ts'
import type { Word } from './split-words.ts'

/** ISO 639-2: a language that nobody knows. It has neither stemmer nor stop words. */
const UNDETERMINED = 'und'
const UMLAUT = /[äöüß]/iu
const LETTER = /\p{L}/gu
const LATIN_LETTER = /\p{scx=Latn}/gu

/** True for a word that carries no meaning in the language. */
export function isStopWord(word: Word, lexicon: Lexicon): boolean {
  return word.kind === 'word' && lexicon.isStopWord(plain(word.text))
}

/**
 * The language whose stop words the query uses most, `null` when that is not clear. In a memory of English and German
 * "was ist die Frist" must not look for the English verb to die.
 */
export function spokenLanguage(words: readonly Word[], lexicons: readonly Lexicon[]): Lexicon | null {
  const [first, second] = countStopWords(words, lexicons)
  return first !== undefined && first.count >= 2 && first.count > (second?.count ?? 0) ? first.lexicon : null
}

/**
 * The language of whose verbs a query may have forms (ISO 639-1): that of which it has most small words, or which its letters tell; where nothing does, the
 * first one, as that which most of the memory is written in. `lexicons` are distinct, English among them. One small word is enough: whoever is taken for somebody else
 * loses forms of verbs alone.
 */
export function verbLanguage(words: readonly Word[], lexicons: readonly Lexicon[]): string {
  const [first, second] = countStopWords(words, lexicons)
  if (first !== undefined && first.count > (second?.count ?? 0)) return first.lexicon.language
  const isGerman = lexicons.some(({ language }) => language === 'de') && words.some(({ text }) => UMLAUT.test(text))
  return isGerman ? 'de' : (lexicons[0]?.language ?? DEFAULT_LANGUAGE)
}

/** Most first; of as many as they were given. */
function countStopWords(words: readonly Word[], lexicons: readonly Lexicon[]): { lexicon: Lexicon; count: number }[] {
  return lexicons
    .map((lexicon) => ({ lexicon, count: words.filter((word) => isStopWord(word, lexicon)).length }))
    .sort((a, b) => b.count - a.count)
}

/**
 * The languages of a memory, that of the query first where it is known, since what counts for how much depends on the first: by its stop words, or by
 * letters in which English is not written; which other language it is then makes no difference, and where the memory knows of none, as one of short notes may, it is
 * an undetermined one.
 */
export function orderLanguages(languages: readonly string[], query: string, spoken: string | null): string[] {
  const other = isLatin(query) ? null : (languages.find((language) => language !== DEFAULT_LANGUAGE) ?? UNDETERMINED)
  const first = spoken ?? other
  return first === null ? [...languages] : [first, ...languages.filter((language) => language !== first)]
}

function isLatin(query: string): boolean {
  return 2 * (query.match(LATIN_LETTER)?.length ?? 0) >= (query.match(LETTER)?.length ?? 0)
}
