import { listWords } from './languages/language.ts'
import { LANGUAGES, wordsOfAll } from './languages/languages.ts'

/**
 * Meaning of every word and phrase in `synonyms`, over all languages. Words of a phrase are
 * separated by one space.
 */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.keys(LANGUAGES['en']?.synonyms ?? {}).flatMap((meaning) => {
    const words = wordsOfAll(({ synonyms }) => synonyms?.[meaning])
    return [meaning, ...words].map((word) => [word.replaceAll('_', ' '), meaning] as const)
  }),
)

/** Number of words of the longest phrase in `SYNONYMS`. */
export const MAX_PHRASE_WORDS = Math.max(...[...SYNONYMS.keys()].map((phrase) => phrase.split(' ').length))

/** Words and phrases with another meaning in one language, by ISO 639-1 code. */
export const OWN_SYNONYMS: Readonly<Record<string, ReadonlyMap<string, string>>> = Object.fromEntries(
  Object.values(LANGUAGES).map(({ code, ownSynonyms = {} }) => [
    code,
    new Map(
      Object.entries(ownSynonyms).flatMap(([meaning, words]) =>
        listWords(words).map((word) => [word.replaceAll('_', ' '), meaning] as const),
      ),
    ),
  ]),
)
