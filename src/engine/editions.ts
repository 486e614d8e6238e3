import { findDates } from './analysis/find-dates.ts'
import { normalizeForMatch } from './analysis/fold.ts'

/** A sentence with its document. */
export type DatedSentence = {
  text: string
  /** Title of the document, and the text around the sentence. */
  title: string | null
  passage: string
  /** Time at which the document was added; `null` if unknown. */
  createdAt: string | null
}

/** Share of the words that two editions of a sentence have in common. */
const MIN_SHARED = 0.55
const MIN_SHARED_WORDS = 2
const CAPITAL = /^\p{Lu}/u
const DIGIT = /\p{N}/u
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
const YEAR = /(?<![\p{N}.,])(?:19|20)\d{2}(?![\p{N}])/gu
const MONTH_AND_YEAR = /\p{L}\s(?:19|20)\d{2}/u
const NUMBERS = /\p{N}+/gu
const MAX_DIFFERING_WORDS = 3

/**
 * True for two editions of a statement: alike sentences with other values. Sentences with different
 * names, such as Hull and Leeds, are about siblings. `asked` is the question.
 */
export function areEditions(one: string, other: string, asked: string): boolean {
  const [first, second] = [listWords(one), listWords(other)]
  const [mine, theirs] = [difference(first, second), difference(second, first)]
  const shared = first.length - mine.length
  const isAlike = shared >= MIN_SHARED_WORDS && shared >= MIN_SHARED * Math.max(first.length, second.length)
  if (!isAlike || mine.length === 0 || theirs.length === 0) return false
  if (Math.min(mine.length, theirs.length) > MAX_DIFFERING_WORDS) return false
  const question = normalizeForMatch(asked)
  const isValue = (word: string) => !question.includes(normalizeForMatch(word))
  return [...mine, ...theirs].every(isValue) && !(mine.some(isName) && theirs.some(isName))
}

function listWords(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word], place) => (place === 0 ? word.toLowerCase() : word))
}

function difference(words: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map((word) => word.toLowerCase()))
  return words.filter((word) => !known.has(word.toLowerCase()))
}

function isName(word: string): boolean {
  return CAPITAL.test(word) && !DIGIT.test(word)
}

/**
 * Compares the age of two documents: by the year in the title, the date in the text, and the time
 * they were added. Positive if `one` is newer, 0 if unknown.
 */
export function compareAge(one: DatedSentence, other: DatedSentence): number {
  return (
    compare(latestOf(one.title ?? ''), latestOf(other.title ?? '')) ||
    compare(latestOf(one.passage), latestOf(other.passage)) ||
    compare(one.createdAt, other.createdAt)
  )
}

/** An undated edition is older: the newer says from when it is valid. */
function compare(one: string | null, other: string | null): number {
  return (one ?? '') === (other ?? '') ? 0 : (one ?? '') > (other ?? '') ? 1 : -1
}

function latestOf(text: string): string | null {
  const dates = findDates(text, { dateOrder: 'dmy' }).map(({ value }) => value)
  const years = MONTH_AND_YEAR.test(text) || dates.length === 0 ? [...text.matchAll(YEAR)].map(([year]) => year) : []
  return [...dates, ...years].toSorted().at(-1) ?? null
}

/** True if the question has a word of one title that the other title lacks. */
function namesTitle(asked: string, one: DatedSentence, other: DatedSentence): boolean {
  const question = new Set(listWords(asked).map((word) => word.toLowerCase()))
  return difference(listWords(one.title ?? ''), listWords(other.title ?? '')).some((word) =>
    question.has(word.toLowerCase()),
  )
}

/**
 * Titles of two editions differ in dates, and in numbers beside them: "version 3 (2024)". Titles of
 * siblings differ in names. A sentence with a date of validity needs no such title.
 */
function isSameWork(one: DatedSentence, other: DatedSentence): boolean {
  if (latestOf(one.text) !== latestOf(other.text)) return true
  const [first, second] = [withoutDates(one.title ?? ''), withoutDates(other.title ?? '')]
  if (first === second) return true
  const hasOtherDate = latestOf(one.title ?? '') !== latestOf(other.title ?? '')
  return hasOtherDate && first.replace(NUMBERS, '') === second.replace(NUMBERS, '')
}

function withoutDates(title: string): string {
  const dates = findDates(title, { dateOrder: 'dmy' }).map(({ start, end }) => title.slice(start, end))
  const rest = dates.reduce((text, date) => text.replace(date, ' '), title)
  return normalizeForMatch(rest.replace(YEAR, ' '))
}

/** The newest edition of a statement, and an older one that differs. */
type Editions<Sentence> = { newer: Sentence; older: Sentence }

/**
 * Finds other editions of a quote in other documents; `null` if there are none. In doubt the quote
 * counts as newer.
 */
export function findEditions<Sentence extends DatedSentence & { document: string }>(
  quote: Sentence,
  sentences: readonly Sentence[],
  asked: string,
): Editions<Sentence> | null {
  const others = sentences.filter(
    (other) =>
      other.document !== quote.document && isSameWork(quote, other) && areEditions(quote.text, other.text, asked),
  )
  const newer = others.reduce((best, other) => (compareAge(other, best) > 0 ? other : best), quote)
  const older = newer === quote ? others[0] : quote
  // "What was paid under version 3?", "in February": the question is about the older edition.
  if (newer !== quote && namesTitle(asked, quote, newer)) return null
  return older === undefined ? null : { newer, older }
}
