import { GERMAN } from './de.ts'
import { ENGLISH } from './en.ts'
import { SPANISH } from './es.ts'
import { FRENCH } from './fr.ts'
import { ITALIAN } from './it.ts'
import { type Language, listWords } from './language.ts'
import { DUTCH } from './nl.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'
import { POLISH } from './pl.ts'
import { PORTUGUESE } from './pt.ts'
import { RUSSIAN } from './ru.ts'
import { CHINESE } from './zh.ts'

/** Language of texts whose language is unknown (ISO 639-1). */
export const DEFAULT_LANGUAGE = 'en'

const ALL: readonly Language[] = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  POLISH,
  RUSSIAN,
  CHINESE,
  ...OTHER_LANGUAGES,
]

/** All known languages by ISO 639-1 code, in alphabetical order. */
export const LANGUAGES: Readonly<Record<string, Language>> = Object.fromEntries(
  ALL.toSorted((a, b) => (a.code < b.code ? -1 : 1)).map((language) => [language.code, language]),
)

/** Selects one list of a language. */
export type Selector = (language: Language) => string | undefined

/** Returns the languages that have a list. */
export function languagesWith(select: Selector): Language[] {
  return ALL.filter((language) => select(language) !== undefined)
}

/** Returns the words of one list over all languages. */
export function wordsOfAll(select: Selector): string[] {
  return ALL.flatMap((language) => listWords(select(language)))
}

/**
 * True if the first language capitalizes all nouns, so that a capital does not indicate a name. The
 * first language is that of the question, or the most frequent one of the memory.
 */
export function hasCapitalNouns(languages: readonly string[]): boolean {
  return LANGUAGES[languages[0] ?? '']?.hasCapitalNouns === true
}
