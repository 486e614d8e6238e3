import type { QuestionUnit } from './question-units.ts'
import type { ReadPassage } from './read-sentences.ts'
import { createWeightedShare, type ScoredSentence } from './sentence-features.ts'
import type { SubjectEvidence } from './subjects/subject-evidence.ts'

/**
 * Logistic model of the probability that the best sentence answers the question. Trained with L2
 * regularization on the seen half of the trust questions, and on three public sets at an eighth of
 * the weight (docs/decisions/0024). No feature depends on the size of the memory.
 */
const CONFIDENCE_WEIGHTS = {
  bias: -2.56,
  /** Share of the question in the passage and its headings; long words and names weigh more. */
  passage: -0.1,
  grams: 0.36,
  cosine: 1.25,
  /** Number of question words in the passage and its headings, at most six. */
  found: 0.86,
  inPassage: -0.36,
  nowhere: -1.2,
  namesMet: 0.16,
  namesNowhere: -0.55,
  nounsNowhere: -0.42,
  othersNowhere: -0.23,
  /** Number of words that do not only ask, and of those that the scope has; at most six. */
  specific: 0.41,
  met: 0.97,
  /** 1 if the scope of the sentence has every word. */
  isComplete: 0.79,
  missing: -0.34,
  foreignHeading: -0.82,
  replaced: -0.44,
  hasKind: -0.24,
  coverage: 0.52,
  near: 0.48,
  score: 0.69,
  total: 0.37,
} as const

const MAX_FOUND_WORDS = 6
const MAX_MISSING_WORDS = 4
/** Scale of the score of a sentence. */
const SCORE_SCALE = 20
/**
 * A name or number weighs as much as a word of eight letters; no word weighs more than one of ten.
 */
const NAME_WEIGHT = 1.6
const LETTERS_A_WEIGHT = 5
const MAX_LETTERS = 10
const PAIR = /^[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]{2}$/v

/**
 * Best sentence with its passage. `grams` is the share of the question's four-grams in the sentence
 * and its headings, `cosine` the semantic similarity.
 */
type Candidate = {
  passage: ReadPassage
  grams: number
  cosine: number
  best: Pick<ScoredSentence, 'features' | 'score'> & { subject: SubjectEvidence }
}

/** Returns the probability, 0 to 1, that the best sentence answers the question. */
export function computeConfidence(candidate: Candidate, units: readonly QuestionUnit[]): number {
  const evidence = readEvidence(candidate, units)
  const names = Object.keys(CONFIDENCE_WEIGHTS) as (keyof typeof CONFIDENCE_WEIGHTS)[]
  const sum = names.reduce((total, name) => total + CONFIDENCE_WEIGHTS[name] * evidence[name], 0)
  return 1 / (1 + Math.exp(-sum))
}

function readEvidence(
  { passage, grams, cosine, best: { features, score, subject } }: Candidate,
  units: readonly QuestionUnit[],
): Record<keyof typeof CONFIDENCE_WEIGHTS, number> {
  const there = new Set([...passage.units, ...passage.context])
  const { inPassage, elsewhere, nowhere, namesMet, namesNowhere, foreignHeading, replaced } = subject
  return {
    bias: 1,
    passage: createWeightedShare(units.map(weightOf))(there),
    grams,
    cosine,
    found: Math.min(MAX_FOUND_WORDS, countWords([...there].map((unit) => units[unit]))) / MAX_FOUND_WORDS,
    ...{ inPassage, nowhere, namesMet, namesNowhere, foreignHeading, replaced },
    nounsNowhere: subject.nounsNowhere,
    othersNowhere: subject.othersNowhere,
    specific: Math.min(MAX_FOUND_WORDS, subject.specific) / MAX_FOUND_WORDS,
    met: Math.min(MAX_FOUND_WORDS, subject.specific * (1 - inPassage - elsewhere - nowhere)) / MAX_FOUND_WORDS,
    isComplete: subject.missing.size === 0 ? 1 : 0,
    missing: Math.min(MAX_MISSING_WORDS, subject.missing.size) / MAX_MISSING_WORDS,
    hasKind: features.strong > 0 ? 1 : 0,
    coverage: features.coverage,
    near: features.near,
    score: features.score,
    total: score / SCORE_SCALE,
  }
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
