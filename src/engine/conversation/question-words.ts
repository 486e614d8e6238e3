import { isFrequentWord } from '../analysis/question-language.ts'
import { FOLLOW_UPS, type FollowUpWords } from '../languages/follow-ups.ts'
import { hasCapitalNouns } from '../languages/languages.ts'

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
const CAPITAL = /^\p{Lu}/u
/** An abbreviation, such as IT, is no pronoun. */
const ABBREVIATION = /^\p{Lu}{2,}$/u
const DIGIT = /\p{N}/u
/** Marks at the end of a question. */
export const END_MARKS = /[\s?？!！.。…]+$/u

/** Role of a word in a question. */
export type Role =
  | 'conjunction'
  | 'interrogative'
  | 'preposition'
  | 'determiner'
  | 'verb'
  | 'pronoun'
  | 'possessive'
  | 'demonstrative'

/** A word of a question. `start` and `end` are offsets in UTF-16 code units. */
export type QuestionWord = {
  text: string
  /** Lower case, with accents. */
  plain: string
  roles: ReadonlySet<Role>
  /** False for interrogatives and words of grammar. */
  isContent: boolean
  /** True for a name, or a noun of a language that capitalizes nouns. */
  isName: boolean
  start: number
  end: number
}

/** Reads the words of a question; `language` is ISO 639-1. */
export function readWords(question: string, language: string): QuestionWord[] {
  const rolesOf = ROLES.get(language) ?? new Map<string, Set<Role>>()
  const isLoud = !/\p{Ll}/u.test(question)
  return [...question.matchAll(WORD)].map(({ 0: text, index }, place) => {
    const plain = text.toLowerCase().normalize('NFC')
    const isAbbreviation = ABBREVIATION.test(text) && !isLoud
    const isName = DIGIT.test(text) || isAbbreviation || (place > 0 && CAPITAL.test(text) && !isLoud)
    const roles = isAbbreviation ? new Set<Role>() : (rolesOf.get(plain) ?? new Set<Role>())
    const isGrammar = roles.size > 0 || isFrequentWord(text, language)
    const isNoun = isName && (isAbbreviation || DIGIT.test(text) || hasCapitalNouns([language]))
    return { text, plain, roles, isName, isContent: isNoun || !isGrammar, start: index, end: index + text.length }
  })
}

const ROLES: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<Role>>> = new Map(
  Object.entries(FOLLOW_UPS).map(([language, lists]) => [language, readRoles(lists)]),
)

function readRoles(lists: FollowUpWords): Map<string, Set<Role>> {
  const byRole: readonly (readonly [Role, string | undefined])[] = [
    ['conjunction', lists.conjunctions],
    ['interrogative', lists.interrogatives],
    ['preposition', lists.prepositions],
    ['determiner', lists.determiners],
    ['verb', lists.verbs],
    ['pronoun', lists.pronouns],
    ['possessive', lists.possessives],
    ['demonstrative', lists.demonstratives],
  ]
  const roles = new Map<string, Set<Role>>()
  for (const [role, list] of byRole)
    for (const word of listParts(list, /\s+/)) roles.set(word, (roles.get(word) ?? new Set()).add(role))
  return roles
}

/**
 * Leaves out the conjunctions at the start. `topic` are the words after a phrase such as "what
 * about"; `null` without such a phrase.
 */
export function splitOpening(words: readonly QuestionWord[], { continuations }: Pick<FollowUpWords, 'continuations'>) {
  const first = words.findIndex(({ roles }) => !roles.has('conjunction'))
  const rest = words.slice(Math.max(0, first))
  const spoken = `${rest.map(({ plain }) => plain).join(' ')} `
  const continuation = listParts(continuations, /\n/).find((phrase) => spoken.startsWith(`${phrase} `))
  return { first, rest, topic: continuation === undefined ? null : rest.slice(continuation.split(' ').length) }
}

/** Splits a list of words or phrases. */
export function listParts(list: string | undefined, separator: RegExp): string[] {
  return (list ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
