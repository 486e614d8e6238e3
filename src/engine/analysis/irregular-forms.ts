import { germanBaseForm } from './german-forms.ts'
import { IRREGULAR_FORMS } from './irregular-lists.ts'

type Bases = ReadonlyMap<string, string>

/** By language (ISO 639-1), each form with the form of its word that gives the term. */
const BASES: Readonly<Record<string, Bases>> = Object.fromEntries(
  Object.entries(IRREGULAR_FORMS).map(([language, list]) => [language, readList(list)]),
)
const NONE: Bases = new Map()

function readList(list: string): Bases {
  const groups = list.trim().split(/[|\n]/)
  return new Map(
    groups.flatMap((group) => {
      const [base = '', ...forms] = group.split(' ')
      return forms.map((form): [string, string] => [form, base])
    }),
  )
}

/** What makes of a word in lower case the form that has its term by the stem, in a language (ISO 639-1): `buy` of `bought`; the word itself of nearly all. */
export function createBaseForms(language: string): (word: string) => string {
  const bases = BASES[language] ?? NONE
  if (language === 'de') return (word) => germanBaseForm(word, bases) ?? word
  return (word) => bases.get(word) ?? word
}

/** The first letters of irregular forms whose base form begins otherwise, by that base: `w` for `go`. */
export function otherBeginnings(language: string): Map<string, Set<string>> {
  const letters = new Map<string, Set<string>>()
  for (const [form, base] of BASES[language] ?? NONE)
    if (form[0] !== base[0]) letters.set(base, (letters.get(base) ?? new Set()).add(form.slice(0, 1)))
  return letters
}
