import type { UnspacedFollowUps } from '../languages/follow-ups.ts'
import { END_MARKS, listParts } from './question-words.ts'

const NOT_LETTERS = /[^\p{L}\p{M}\p{N}]+/gu
/** Characters of a new subject: 周末呢. */
const MAX_TOPIC_CHARACTERS = 10

/** True for a question of a language without spaces whose subject was named in another one. */
export function isIncompleteRun(question: string, lists: UnspacedFollowUps): boolean {
  const whole = question.normalize('NFC').replace(NOT_LETTERS, '')
  const [conjunctions, pronouns, topics] = [lists.conjunctions, lists.pronouns, lists.topics].map((list) =>
    listParts(list, /\s+/),
  ) as [string[], string[], string[]]
  const conjunction = conjunctions.find((word) => whole.startsWith(word)) ?? ''
  const text = whole.slice(conjunction.length)
  const has = (list: string) => listParts(list, /\s+/).some((word) => text.includes(word))
  const ending = topics.find((topic) => text.endsWith(topic))
  const topic = ending === undefined ? text : text.slice(0, -ending.length)
  const isAsked = listParts(lists.interrogatives, /\s+/).some((word) => topic.includes(word))
  if (ending !== undefined && topic.length <= MAX_TOPIC_CHARACTERS && !isAsked) return true
  const fillers = listParts(lists.fillers, /\s+/).toSorted((a, b) => b.length - a.length)
  const demonstrative = listParts(lists.demonstratives, /\s+/).find((word) => whole.startsWith(word))
  const isReferring =
    pronouns.some((pronoun) => whole.startsWith(pronoun) || text.startsWith(pronoun)) ||
    (demonstrative !== undefined && fillers.some((filler) => whole.startsWith(filler, demonstrative.length)))
  if (isReferring && has(lists.interrogatives)) return true
  return text !== '' && fillers.reduce((rest, filler) => rest.replaceAll(filler, ''), text) === ''
}

/** Words of more than one character: shorter ones are parts of nouns. */
const MIN_SEPARATOR_CHARACTERS = 2

/** Without spaces: adds the longest run between words of grammar, or appends the new subject. */
export function rewriteRun(question: string, previous: string, lists: UnspacedFollowUps): string[] {
  const former = previous.normalize('NFC').replace(END_MARKS, '')
  const own = question.normalize('NFC').replace(END_MARKS, '')
  const conjunction = listParts(lists.conjunctions, /\s+/).find((word) => own.startsWith(word)) ?? ''
  const text = own.slice(conjunction.length).replace(/^[\s,，、]+/u, '')
  const ending = listParts(lists.topics, /\s+/).find((topic) => text.endsWith(topic))
  const asks = listParts(lists.interrogatives, /\s+/).some((word) => text.includes(word))
  if (ending !== undefined && !asks) return [`${former} ${text.slice(0, -ending.length)}`]
  const separators = [...listParts(lists.fillers, /\s+/), ...listParts(lists.interrogatives, /\s+/)]
    .filter((word) => word.length >= MIN_SEPARATOR_CHARACTERS)
    .toSorted((a, b) => b.length - a.length)
  const runs = separators.reduce((rest, word) => rest.replaceAll(word, '\n'), former).split('\n')
  const [subject = ''] = runs.map((run) => run.trim()).toSorted((a, b) => b.length - a.length)
  return subject === '' ? [own] : [`${own} (${subject})`]
}
