import { FOLLOW_UPS, UNSPACED_FOLLOW_UPS } from '../languages/follow-ups.ts'
import { hasCapitalNouns } from '../languages/languages.ts'
import { END_MARKS, listParts, type QuestionWord, type Role, readWords, splitOpening } from './question-words.ts'
import { rewriteRun } from './unspaced-question.ts'

/**
 * Rewrites a question that `isIncompleteQuestion` finds incomplete, by the question before it.
 * Returns one or more complete questions, the most probable first. "And in Hull?" after "When does
 * the museum in Leeds open?" becomes "When does the museum in Hull open?". "How long is it valid?"
 * gets its subject in brackets. `language` is ISO 639-1.
 */
export function rewriteFollowUp(question: string, previous: string, language: string): string[] {
  const unspaced = UNSPACED_FOLLOW_UPS[language]
  if (unspaced !== undefined) return rewriteRun(question, previous, unspaced)
  const own = readWords(question, language)
  const former: Former = { text: previous.replace(END_MARKS, ''), words: readWords(previous, language), language }
  const topic = readTopic(own, { question, language })
  const rewritten = topic === null ? addSubject(question, own, former) : replaceTopic(topic, former)
  return [...new Set(rewritten)]
}

/** The question before, without the mark at its end. */
type Former = { text: string; words: readonly QuestionWord[]; language: string }

/** A new subject of the former question: "for children" in "And for children?". */
type Topic = { text: string; words: readonly QuestionWord[] }

/** Returns the new subject of a question without a predicate; `null` for another question. */
function readTopic(
  words: readonly QuestionWord[],
  { question, language }: { question: string; language: string },
): Topic | null {
  const { rest, topic: named } = splitOpening(words, FOLLOW_UPS[language] ?? {})
  const asks = rest.some((word) => hasRole(word, 'interrogative', 'verb', 'pronoun'))
  if (named === null && asks) return null
  const topic = named ?? rest
  const start = topic[0]?.start
  return start === undefined ? null : { text: question.slice(start).replace(END_MARKS, ''), words: topic }
}

function hasRole({ roles, isName, isContent }: QuestionWord, ...wanted: readonly Role[]): boolean {
  return !(isName && isContent) && wanted.some((role) => roles.has(role))
}

/** Adds the former subject, or all former words to a question without a predicate. */
function addSubject(question: string, own: readonly QuestionWord[], former: Former): string[] {
  const whole = former.words
    .filter((word) => !hasRole(word, 'interrogative', 'verb', 'conjunction', 'pronoun'))
    .map(({ text }) => text)
    .join(' ')
  const hasPredicate = own.some((word) => word.isContent || hasRole(word, 'verb'))
  const subject = hasPredicate ? findSubject(former) : null
  return [subject ?? whole, whole].map((added) => (added === '' ? question : `${question.trimEnd()} (${added})`))
}

/** Range of words. */
type Phrase = { from: number; to: number }

/**
 * Returns the subject of an indirect question, or the longest noun phrase that is not asked for.
 */
function findSubject(former: Former): string | null {
  const phrases = listNounPhrases(former)
  const clause = phrases.find(({ from }) => isClauseSubject(former.words, from))
  if (clause !== undefined) return textOf(former, clause)
  const given = phrases.filter(({ from }) => !former.words[from - 1]?.roles.has('interrogative'))
  const texts = (given.length > 0 ? given : phrases).map((phrase) => textOf(former, phrase))
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? null
}

/** "the pool" in "do you know when the pool opens". */
function isClauseSubject(words: readonly QuestionWord[], from: number): boolean {
  return (
    from > 1 &&
    words[from - 1]?.roles.has('interrogative') === true &&
    hasRole(words[from] as QuestionWord, 'determiner')
  )
}

function textOf({ text, words }: Former, { from, to }: Phrase): string {
  return text.slice(words[from]?.start, words[to - 1]?.end)
}

/** Lists runs of content words with articles, joined by prepositions: "the museum in Leeds". */
function listNounPhrases(former: Former): Phrase[] {
  const { words } = former
  const phrases: Phrase[] = []
  for (let from = 0; from < words.length; from += 1) {
    const to = findPhraseEnd(former, from)
    if (to === from) continue
    phrases.push({ from, to })
    from = to - 1
  }
  return phrases
}

/** End of the noun phrase that begins at a word; the word itself if there is none. */
function findPhraseEnd(former: Former, from: number): number {
  const { words } = former
  let to = endOfNoun(former, from)
  while (to > from && words[to]?.roles.has('preposition')) {
    const next = endOfNoun(former, to + 1)
    if (next === to + 1) break
    to = next
  }
  return to
}

function endOfNoun(former: Former, from: number): number {
  const { words, language } = former
  let at = from
  while (words[at] !== undefined && hasRole(words[at] as QuestionWord, 'determiner')) at += 1
  const start = at
  while (words[at]?.isContent) at += 1
  if (hasCapitalNouns([language])) while (at > start && words[at - 1]?.isName === false) at -= 1
  else if (at - start > 1 && at === words.length && endsInVerb(former)) at -= 1
  return at === start ? from : at
}

/** True if an auxiliary puts the verb at the end: "does the pool open". */
function endsInVerb({ words, language }: Former): boolean {
  const auxiliaries = listParts(FOLLOW_UPS[language]?.auxiliaries, /\s+/)
  const isVerb = words.at(-1)?.isName === false
  return isVerb && words.some(({ plain }) => auxiliaries.includes(plain))
}

/**
 * Puts the new subject in the place of the former one, or after the former question. Both are
 * likely for "in summer", but a name replaces the former one: "in York" after "in Leeds". In
 * languages that write all nouns like names, both are likely.
 */
function replaceTopic(topic: Topic, former: Former): string[] {
  const phrase = findReplaced(topic, former)
  const appended = `${former.text} ${topic.text}?`
  if (phrase === null) return [appended]
  const [start, end] = [former.words[phrase.from]?.start, former.words[phrase.to - 1]?.end]
  const replaced = `${former.text.slice(0, start)}${topic.text}${former.text.slice(end)}?`
  const hasName = !hasCapitalNouns([former.language]) && topic.words.some(createNameTest(former.language))
  return hasName ? [replaced] : [replaced, appended]
}

/** Creates the test of a name that is no time: a day is no place. */
function createNameTest(language: string): (word: QuestionWord) => boolean {
  const times = namesOfTimes(language)
  return ({ isName, isContent, plain }) => isName && isContent && !times.has(plain)
}

function findReplaced(topic: Topic, former: Former): Phrase | null {
  const { words } = former
  const first = topic.words[0]
  if (first?.roles.has('preposition')) {
    const from = words.findLastIndex(({ plain, roles }) => plain === first.plain && roles.has('preposition'))
    const to = endOfNoun(former, from + 1)
    return from < 0 || to === from + 1 ? null : { from, to }
  }
  const shared = new Set(topic.words.flatMap(({ plain, isContent }) => (isContent ? [plain] : [])))
  const alike = listNouns(former).find(({ from, to }) => words.slice(from, to).some(({ plain }) => shared.has(plain)))
  return alike ?? findReplacedName(topic, former)
}

/** Noun phrases without those that a preposition adds. */
function listNouns(former: Former): Phrase[] {
  const nouns = former.words.map((_, from) => ({ from, to: endOfNoun(former, from) }))
  return nouns.filter(
    ({ from, to }) => to > from && !(former.words[from - 1]?.isContent && former.words[from]?.isContent),
  )
}

/** A name takes the place of the only name: "And Hull?". */
function findReplacedName({ words: topic }: Topic, { words, language }: Former): Phrase | null {
  const isNamed = createNameTest(language)
  if (topic.length === 0 || !topic.every((word) => isNamed(word) || word.roles.has('determiner'))) return null
  const places = words.flatMap((word, at) => (isNamed(word) ? [at] : []))
  const [from, to] = [places[0], places.at(-1)]
  if (from === undefined || to === undefined || to - from + 1 !== places.length) return null
  return { from, to: to + 1 }
}

const DAYS = 7
const MONTHS = 12
const DAY_MS = 24 * 60 * 60 * 1000

/** Names of days and months, in lower case. */
function namesOfTimes(language: string): ReadonlySet<string> {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  const [day, month] = [format({ weekday: 'long' }), format({ month: 'long' })]
  const days = Array.from({ length: DAYS }, (_, index) => day.format(index * DAY_MS))
  const months = Array.from({ length: MONTHS }, (_, index) => month.format(Date.UTC(2026, index)))
  return new Set([...days, ...months].map((name) => name.toLowerCase()))
}
