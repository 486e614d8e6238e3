import { GERMAN } from './de.ts'
import { ENGLISH } from './en.ts'
import { SPANISH } from './es.ts'
import { FRENCH } from './fr.ts'
import { ITALIAN } from './it.ts'
import { type Language, listWords, type WordList } from './language.ts'
import { DUTCH } from './nl.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'
import { POLISH } from './pl.ts'
import { PORTUGUESE } from './pt.ts'
import { RUSSIAN } from './ru.ts'

/** The language a text is analysed in when none is known (ISO 639-1). */
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
  ...OTHER_LANGUAGES,
]

/** Every language that is known, by ISO 639-1, in alphabetical order. */
export const LANGUAGES: Readonly<Record<string, Language>> = Object.fromEntries(
  ALL.toSorted((a, b) => (a.code < b.code ? -1 : 1)).map((language) => [language.code, language]),
)

/** The words of one list of every language that has it. */
export function wordsOfAll(list: WordList): string[] {
  return ALL.flatMap((language) => listWords(language[list]))
}
