import { FOLLOW_UPS, type FollowUpWords, UNSPACED_FOLLOW_UPS } from '../languages/follow-ups.ts'
import { listParts, type QuestionWord, type Role, readWords, splitOpening } from './question-words.ts'
import { isIncompleteRun } from './unspaced-question.ts'

/** A longer question has a subject. */
const MAX_WORDS = 30
const CAPITAL = /^\p{Lu}/u

/**
 * True for a question whose subject was named in another one: "How much does it cost?", "And for
 * children?", "Until when?". A pronoun may refer to something in the question itself. In doubt a
 * question is complete. `language` is ISO 639-1.
 */
export function isIncompleteQuestion(question: string, language: string): boolean {
  const unspaced = UNSPACED_FOLLOW_UPS[language]
  if (unspaced !== undefined) return isIncompleteRun(question, unspaced)
  const words = readWords(question, language)
  if (words.length === 0 || words.length > MAX_WORDS) return false
  if (!words.some((word) => word.isContent)) return true
  const lists = FOLLOW_UPS[language]
  if (lists === undefined) return false
  return isDegree(words, lists) || isFragment(words, question, lists) || hasUnknownSubject(words, question, lists)
}

/** "How long?" */
function isDegree(words: readonly QuestionWord[], lists: FollowUpWords): boolean {
  const asked = words.filter(({ roles }) => !roles.has('conjunction') && !roles.has('preposition'))
  return asked.length === 2 && listParts(lists.degrees, /\s+/).includes(asked[0]?.plain ?? '')
}

/** Words in a phrase that may follow "what about". */
const MAX_TOPIC_WORDS = 3
/** Words after a conjunction: of any kind, after an article, and after a preposition. */
const MAX_FRAGMENT_WORDS = { any: 2, determined: 5, prepositional: 5, unjoined: 3 } as const

/** True for a phrase without a verb: "And for children?" */
function isFragment(words: readonly QuestionWord[], question: string, lists: FollowUpWords): boolean {
  const { first, rest, topic } = splitOpening(words, lists)
  if (topic !== null) {
    const topics = topic.filter(isTopic)
    return topics.length < MAX_TOPIC_WORDS && (!hasCapitalNounsIn(lists) || topics.every(({ isName }) => isName))
  }
  if (rest.some(({ roles, isName }) => roles.has('interrogative') || (roles.has('verb') && !isName))) return false
  const opening = rest[0]?.roles ?? new Set<Role>()
  if (first <= 0) {
    const isShort = opening.has('preposition') && rest.length <= MAX_FRAGMENT_WORDS.unjoined
    return first === 0 && isShort && question.trimEnd().endsWith('?')
  }
  if (rest.length <= MAX_FRAGMENT_WORDS.any) return true
  if (opening.has('preposition')) return rest.length <= MAX_FRAGMENT_WORDS.prepositional
  return lists.hasVerbFirst === true && opening.has('determiner') && rest.length <= MAX_FRAGMENT_WORDS.determined
}

function isTopic({ roles }: QuestionWord): boolean {
  return !roles.has('preposition') && !roles.has('determiner')
}

/** True if the subject is a pronoun for nothing in the question, or is omitted. */
function hasUnknownSubject(words: readonly QuestionWord[], question: string, lists: FollowUpWords): boolean {
  if (omitsSubject(words, lists)) return true
  const spoken = ` ${words.map(({ plain }) => plain).join(' ')} `
  if (listParts(lists.impersonal, /\n/).some((phrase) => spoken.includes(` ${phrase} `))) return false
  const places = words.flatMap((_, place) => (isPronoun(words, place, lists) ? [place] : []))
  return places.length > 0 && places.every((place) => !isResolved(words, place, { question, lists }))
}

/** Roles of words that no noun phrase begins with. */
const CLAUSE_ROLES: readonly Role[] = ['conjunction', 'interrogative', 'preposition', 'verb']

function isPronoun(words: readonly QuestionWord[], place: number, lists: FollowUpWords): boolean {
  const word = words[place]
  if (word === undefined || word.isContent) return false
  const next = words[place + 1]
  // German "Sie" is the reader. At the start of a question the capital says nothing.
  if (word.roles.has('pronoun') || word.roles.has('possessive'))
    return !(CAPITAL.test(word.text) && hasCapitalNounsIn(lists))
  if (!word.roles.has('demonstrative')) return false
  if (next === undefined) return true
  if (hasCapitalNounsIn(lists) && !words.slice(place + 1).some(({ isName }) => isName)) return true
  return !next.isContent && CLAUSE_ROLES.some((role) => next.roles.has(role)) && !next.roles.has('determiner')
}

function hasCapitalNounsIn(lists: FollowUpWords): boolean {
  return lists === FOLLOW_UPS['de']
}

type QuestionContext = { question: string; lists: FollowUpWords }

/** True if the question has the noun that a pronoun replaces. */
function isResolved(words: readonly QuestionWord[], place: number, { question, lists }: QuestionContext): boolean {
  const clauses = new Set(listParts(lists.clauses, /\s+/))
  const after = words.slice(place + 1)
  const clause = after.findIndex(({ plain, roles }) => clauses.has(plain) || roles.has('interrogative'))
  if (clause >= 0 && after.slice(clause + 1).some(({ isContent }) => isContent)) return true
  if (after[0]?.roles.has('determiner') && after[1]?.isContent) return true
  if (words[place]?.roles.has('possessive') && after.length > 0) {
    const hasOther = words.slice(0, place).some(({ isContent }) => isContent) || after.slice(1).some(isNamed)
    if (hasOther) return true
  }
  const comma = question.indexOf(',', words[place]?.end)
  const isLater = comma >= 0 && words.some((word, at) => word.end > comma && isNoun(words, at))
  return isLater || hasNounBefore(words, place)
}

function isNamed({ isName, isContent }: QuestionWord): boolean {
  return isName && isContent
}

function hasNounBefore(words: readonly QuestionWord[], place: number): boolean {
  const contents = words.flatMap((word, at) => (at < place && word.isContent && !isAskedFor(words, at) ? [at] : []))
  return contents.length > 1 || contents.some((at) => isNoun(words, at))
}

/** A noun by its article, preposition or capital. */
function isNoun(words: readonly QuestionWord[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]]
  if (word === undefined || !word.isContent) return false
  return word.isName || before?.roles.has('determiner') === true || before?.roles.has('preposition') === true
}

/** "colour" in "which colour is it", "big" in "how big is it". */
function isAskedFor(words: readonly QuestionWord[], at: number): boolean {
  return words[at - 1]?.roles.has('interrogative') === true && words[at + 1]?.roles.has('verb') === true
}

/** "¿Cuánto cuesta?", "Ile to kosztuje?" */
function omitsSubject(words: readonly QuestionWord[], lists: FollowUpWords): boolean {
  const endings = listParts(lists.verbEndings, /\s+/)
  const asked = words.filter(({ roles }) => !roles.has('conjunction') && !roles.has('demonstrative'))
  const last = asked.at(-1)
  if (endings.length === 0 || last === undefined) return false
  const opening = asked.slice(0, -1).map(({ plain }) => plain)
  return (
    listParts(lists.adverbs, /\n/).includes(opening.join(' ')) && endings.some((ending) => last.plain.endsWith(ending))
  )
}
