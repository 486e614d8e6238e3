import { plain } from './fold.ts'
import { DEFAULT_LANGUAGE } from './languages.ts'
import type { Lexicon } from './lexicon.ts'
import type { Word } from './split-words.ts'

/** ISO 639-2: a language that nobody knows. It has neither stemmer nor stop words. */
const UNDETERMINED = 'und'
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
  const counted = lexicons
    .map((lexicon) => ({ lexicon, count: words.filter((word) => isStopWord(word, lexicon)).length }))
    .sort((a, b) => b.count - a.count)
  const [first, second] = counted
  return first !== undefined && first.count >= 2 && first.count > (second?.count ?? 0) ? first.lexicon : null
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
