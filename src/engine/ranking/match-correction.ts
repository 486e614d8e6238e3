import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import { listPlainNumbers, plainNumber, WRITTEN_NUMBER } from '../analysis/plain-number.ts'
import { HANGUL, UNSPACED } from '../analysis/scripts.ts'

/** A correction and a query, each already analysed in the languages of the memory. */
export type CorrectionMatch = {
  query: string
  queryTerms: readonly string[]
  topics: readonly string[]
  statement: string
  /** Terms of statement and topics. */
  correctionTerms: ReadonlySet<string>
  /**
   * Cosine of query and correction; `null` where there is none, and where the embedder does not
   * know the language of the correction.
   */
  cosine: number | null
  /** True where it names other identifiers than the query (`identifiers.ts`). */
  namesOtherIdentifiers: boolean
  /**
   * The share of the query's runs of four characters that stand in statement and topics, 0 to 1.
   */
  runs: number
}

/**
 * What decides where neither a topic nor most of the words do: other identifiers or another number
 * than those named, the meaning, or in its place pairs or runs.
 */
export type CorrectionRule = 'identifier' | 'number' | 'meaning' | 'pairs' | 'runs'

/**
 * Tuned on the pairs in the test beside this file: no pair that does not match passes, 17 of 20
 * that match do.
 */
export const COVERAGE_ALONE = 0.6
export const COVERAGE_WITH_MEANING = 0.4
export const COSINE_WITH_WORDS = 0.5
export const COSINE_ALONE = 0.6
/**
 * In place of the meaning: of 114 questions in 14 languages as many are answered as by words from
 * .4 on, with half of the wrong corrections; pairs are the terms of scripts without spaces, of
 * which a question has many that its answer does not have (docs/relevance.md).
 */
export const RUNS_ALONE = 0.5
export const PAIRS_ALONE = 0.4
/** Longer queries ask; of a shorter one a number is what it names. */
export const MOST_NAMING_WORDS = 3

/**
 * True when a correction speaks of what the query asks: one of its topics stands in the query, or
 * most of the query's words stand in it, or some with a likeness in meaning, or the meaning is
 * nearly the same; where the meaning says nothing, most of the query's letters. A query of few
 * words that names a number asks for nothing that has other numbers alone, and one of many for no
 * `Room 8` where it says `room 7`. Identifiers have no meaning and no likeness: a correction about
 * others of them fits no query.
 */
export function matchesCorrection(match: CorrectionMatch, rule = correctionRule(match)): boolean {
  const { query, queryTerms, topics, correctionTerms, cosine, runs } = match
  const asked = normalizeForMatch(query)
  if (topics.some((topic) => standsIn(asked, topic) && isMeant(topic, match))) return true
  if (rule === 'identifier' || rule === 'number') return false
  const covered = queryTerms.filter((term) => correctionTerms.has(term)).length / Math.max(1, queryTerms.length)
  if (covered >= COVERAGE_ALONE) return true
  if (cosine === null) return rule === 'pairs' ? covered >= PAIRS_ALONE : runs >= RUNS_ALONE
  return cosine >= COSINE_ALONE || (covered >= COVERAGE_WITH_MEANING && cosine >= COSINE_WITH_WORDS)
}

/** The rule that decides whether a correction of which the query names no topic fits it. */
export function correctionRule(match: Omit<CorrectionMatch, 'correctionTerms' | 'runs'>): CorrectionRule {
  if (match.namesOtherIdentifiers) return 'identifier'
  if (isOfAnotherNumber(match)) return 'number'
  if (match.cosine !== null) return 'meaning'
  return arePairs(match.queryTerms) ? 'pairs' : 'runs'
}

/**
 * True for a topic that stands in the text as whole words; scripts without spaces have no word
 * borders to ask for.
 */
function standsIn(asked: string, topic: string): boolean {
  const words = normalizeForMatch(topic)
  if (words.trim() === '') return false
  if (UNSPACED.test(words)) return asked.includes(words.trim())
  // Korean hangs the mark of a word's part in the sentence on its end.
  return asked.includes(HANGUL.test(words) ? words.trimEnd() : words)
}

const INITIALS = /^\p{Lu}{2,4}$/u

/** `IT` is not the "it" of a question: initials stand there in capitals, or are no stop word. */
function isMeant(topic: string, { query, queryTerms }: Pick<CorrectionMatch, 'query' | 'queryTerms'>): boolean {
  const name = topic.trim()
  if (!INITIALS.test(name)) return true
  return queryTerms.includes(normalizeWordForMatch(name)) || query.split(/[^\p{L}\p{N}]+/u).includes(name)
}

function isOfAnotherNumber({
  query,
  statement,
  topics,
}: Pick<CorrectionMatch, 'query' | 'statement' | 'topics'>): boolean {
  if (namesAnother(query, [statement, ...topics].join('\n'))) return true
  const isNaming = !UNSPACED.test(query) && query.trim().split(/\s+/).length <= MOST_NAMING_WORDS
  const named = isNaming ? listNumbers(query) : []
  if (named.length === 0) return false
  const own = new Set([statement, ...topics].flatMap(listNumbers))
  return own.size > 0 && !named.some((number) => own.has(number))
}

/**
 * A word with the number behind it, by which things of one kind are told apart: `Room 8`, `Version
 * 5.0`.
 */
const NUMBERED = new RegExp(String.raw`(?<!\p{L})(?<name>\p{L}{3,})\s+#?(?<number>${WRITTEN_NUMBER})`, 'gu')
const CAPITAL = /^\p{Lu}/u

/**
 * True where the query names a thing by a number, and the correction names such things, with a
 * capital, by others alone: "up to 10 people" is no name, and who asks of Room 7 and Room 8 asks of
 * both.
 */
function namesAnother(query: string, correction: string): boolean {
  const mentioned = listNumbered(query)
  // Most queries name nothing so, and a correction may be long.
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
