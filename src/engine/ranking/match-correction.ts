import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import { listPlainNumbers, plainNumber, WRITTEN_NUMBER } from '../analysis/plain-number.ts'
import { HANGUL, UNSPACED } from '../analysis/unspaced-terms.ts'

/** A correction and a query, both analysed in the languages of the memory. */
export type CorrectionMatch = {
  query: string
  queryTerms: readonly string[]
  topics: readonly string[]
  statement: string
  /** Terms of statement and topics. */
  correctionTerms: ReadonlySet<string>
  /**
   * Cosine of query and correction; `null` if unknown, or if the embedder does not know the
   * language of the correction.
   */
  cosine: number | null
  /** True if the correction names other identifiers than the query (`identifiers.ts`). */
  namesOtherIdentifiers: boolean
  /** Share of the query's four-grams in statement and topics, 0 to 1. */
  runs: number
}

/**
 * Rules in addition to topics and coverage: other identifiers, another number, semantic similarity,
 * or pairs or four-grams in its place.
 */
export type CorrectionRule = 'identifier' | 'number' | 'meaning' | 'pairs' | 'runs'

/** Tuned on the pairs in the adjacent test: no wrong pair passes, 17 of 20 right pairs pass. */
export const MIN_COVERAGE = 0.6
export const COVERAGE_WITH_MEANING = 0.4
export const COSINE_WITH_WORDS = 0.5
export const COSINE_ALONE = 0.6
/**
 * Replaces semantic similarity. Of 114 questions in 14 languages as many are answered as by word
 * coverage from .4, with half of the wrong corrections. In scripts without spaces the terms are
 * pairs, and a question has many pairs that its answer lacks (docs/relevance.md).
 */
export const MIN_FOUR_GRAM_SHARE = 0.5
export const PAIRS_ALONE = 0.4
/** Longer queries are questions. In a shorter query a number is a name. */
export const MAX_NAMING_WORDS = 3

/**
 * True if a correction applies to a query. A topic of the correction occurs in the query, or the
 * correction covers most of the query. Less coverage suffices with semantic similarity, and none if
 * the meaning is nearly equal. Without vectors, four-grams replace the meaning. A short query with
 * a number excludes corrections with other numbers only; a long one excludes `Room 8` for `room 7`.
 * A correction about other identifiers never applies.
 */
export function matchesCorrection(match: CorrectionMatch, rule = chooseCorrectionRule(match)): boolean {
  const { query, queryTerms, topics, correctionTerms, cosine, runs } = match
  const asked = normalizeForMatch(query)
  if (topics.some((topic) => containsTopic(asked, topic) && isTopicMeant(topic, match))) return true
  if (rule === 'identifier' || rule === 'number') return false
  const covered = queryTerms.filter((term) => correctionTerms.has(term)).length / Math.max(1, queryTerms.length)
  if (covered >= MIN_COVERAGE) return true
  if (cosine === null) return rule === 'pairs' ? covered >= PAIRS_ALONE : runs >= MIN_FOUR_GRAM_SHARE
  return cosine >= COSINE_ALONE || (covered >= COVERAGE_WITH_MEANING && cosine >= COSINE_WITH_WORDS)
}

/** Returns the rule for a correction without a topic in the query. */
export function chooseCorrectionRule(match: Omit<CorrectionMatch, 'correctionTerms' | 'runs'>): CorrectionRule {
  if (match.namesOtherIdentifiers) return 'identifier'
  if (isOfAnotherNumber(match)) return 'number'
  if (match.cosine !== null) return 'meaning'
  return arePairs(match.queryTerms) ? 'pairs' : 'runs'
}

/**
 * True if a topic occurs in the text as whole words. Scripts without spaces have no word borders.
 */
export function containsTopic(asked: string, topic: string): boolean {
  const words = normalizeForMatch(topic)
  if (words.trim() === '') return false
  if (UNSPACED.test(words)) return asked.includes(words.trim())
  // Korean appends case particles to words.
  return asked.includes(HANGUL.test(words) ? words.trimEnd() : words)
}

const INITIALS = /^\p{Lu}{2,4}$/u

/**
 * `IT` is not the "it" of a question: an acronym is in capitals in the query, or is no stop word.
 */
function isTopicMeant(topic: string, { query, queryTerms }: Pick<CorrectionMatch, 'query' | 'queryTerms'>): boolean {
  const name = topic.trim()
  if (!INITIALS.test(name)) return true
  return queryTerms.includes(normalizeWordForMatch(name)) || query.split(/[^\p{L}\p{N}]+/u).includes(name)
}

function isOfAnotherNumber({
  query,
  statement,
  topics,
}: Pick<CorrectionMatch, 'query' | 'statement' | 'topics'>): boolean {
  if (namesOtherNumber(query, [statement, ...topics].join('\n'))) return true
  const isNaming = !UNSPACED.test(query) && query.trim().split(/\s+/).length <= MAX_NAMING_WORDS
  const named = isNaming ? listNumbers(query) : []
  if (named.length === 0) return false
  const own = new Set([statement, ...topics].flatMap(listNumbers))
  return own.size > 0 && !named.some((number) => own.has(number))
}

/** A word with a number that identifies one of several: `Room 8`, `Version 5.0`. */
const NUMBERED = new RegExp(String.raw`(?<!\p{L})(?<name>\p{L}{3,})\s+#?(?<number>${WRITTEN_NUMBER})`, 'gu')
const CAPITAL = /^\p{Lu}/u

/**
 * True if the query names a thing by a number, and the correction names such things, capitalized,
 * by other numbers only. "up to 10 people" is no name. A query about Room 7 and Room 8 asks for
 * both.
 */
export function namesOtherNumber(query: string, correction: string): boolean {
  const mentioned = listNumbered(query)
  // Most queries have no such name, and a correction may be long.
  if (mentioned.length === 0) return false
  const own = Map.groupBy(listNumbered(correction), ({ name }) => name)
  const asked = mentioned.filter(({ name }) => own.get(name)?.some(({ isCapital }) => isCapital))
  const isNamed = asked.some(({ name, number }) => own.get(name)?.some((other) => other.number === number))
  return asked.length > 0 && !isNamed
}

function listNumbered(text: string) {
  return Array.from(text.matchAll(NUMBERED), ({ groups: { name = '', number = '' } = {} }) => ({
    name: normalizeForMatch(name),
    number: plainNumber(number),
    isCapital: CAPITAL.test(name),
  }))
}

function listNumbers(text: string): readonly string[] {
  return listPlainNumbers(text).flatMap((number) => number.split(/\D+/))
}

function arePairs(terms: readonly string[]): boolean {
  return 2 * terms.filter((term) => UNSPACED.test(term) || HANGUL.test(term)).length > terms.length
}
