import type { QuestionUnit } from './question-units.ts'
import type { ReadPassage } from './read-sentences.ts'
import { createWeightedShare } from './sentence-features.ts'

/**
 * Logistic model, trained on half of the questions of six sets, asked of the matching memory and of
 * others (docs/decisions/0024). No feature depends on the size of the memory.
 */
const CONFIDENCE_WEIGHTS = {
  bias: -6.1,
  /** Share of the question in the passage and its headings; long words and names weigh more. */
  passage: 2.9,
  /** Share of the names and numbers of the question that the passage lacks. */
  namesMissing: -1.2,
  grams: 4.5,
  cosine: 2.6,
  /** Number of question words in the passage and its headings, at most six. */
  found: 5.8,
  /** Number of question words, at most eight: a long question needs more matches. */
  asked: -2.5,
  /** Share of the question in scripts without spaces, whose bigrams rarely all match. */
  unspaced: 1.6,
} as const

const MAX_FOUND_WORDS = 6
const MAX_ASKED_WORDS = 8
/**
 * A name or number weighs as much as a word of eight letters; no word weighs more than one of ten.
 */
const NAME_WEIGHT = 1.6
const LETTERS_A_WEIGHT = 5
const MAX_LETTERS = 10
const PAIR = /^[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]{2}$/v

/**
 * Returns the probability, 0 to 1, that the best sentence comes from a passage that answers the
 * question. `grams` is the share of the question's four-grams in the sentence and its headings,
 * `cosine` the semantic similarity.
 */
export function computeConfidence(
  { passage, grams, cosine }: { passage: ReadPassage; grams: number; cosine: number },
  units: readonly QuestionUnit[],
): number {
  const there = new Set([...passage.units, ...passage.context])
  const names = units.map(({ isName }) => (isName ? 1 : 0))
  const hasNames = names.some((weight) => weight > 0)
  const shareOf = createWeightedShare(units.map(weightOf))
  const evidence = {
    bias: 1,
    passage: shareOf(there),
    namesMissing: hasNames ? 1 - createWeightedShare(names)(there) : 0,
    grams,
    cosine,
    found: Math.min(MAX_FOUND_WORDS, countWords([...there].map((unit) => units[unit]))) / MAX_FOUND_WORDS,
    asked: Math.min(MAX_ASKED_WORDS, countWords(units)) / MAX_ASKED_WORDS,
    unspaced: units.filter(isPair).length / Math.max(1, units.length),
  }
  const parts = Object.keys(CONFIDENCE_WEIGHTS) as (keyof typeof CONFIDENCE_WEIGHTS)[]
  const sum = parts.reduce((total, name) => total + CONFIDENCE_WEIGHTS[name] * evidence[name], 0)
  return 1 / (1 + Math.exp(-sum))
}

function weightOf(unit: QuestionUnit): number {
  return unit.isName ? NAME_WEIGHT : Math.min(MAX_LETTERS, unit.terms[0]?.length ?? 0) / LETTERS_A_WEIGHT
}

function isPair({ terms }: QuestionUnit): boolean {
  return PAIR.test(terms[0] ?? '')
}

/** Bigrams overlap: two of them count as one word. */
function countWords(units: readonly (QuestionUnit | undefined)[]): number {
  return units.reduce((count, unit) => count + (unit !== undefined && isPair(unit) ? 0.5 : 1), 0)
}
