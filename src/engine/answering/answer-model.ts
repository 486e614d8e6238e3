import type { AnswerKind } from '../languages/language.ts'
import { ANSWER_MODEL } from './answer-weights.ts'
import { isQuestion } from './dialogue-lines.ts'
import type { ParentLine } from './parent-lines.ts'
import type { QuestionUnit } from './question-units.ts'
import type { ReadPassage } from './read-sentences.ts'
import { createWeightedShare, type ScoredSentence } from './sentence-features.ts'
import type { SubjectEvidence } from './subjects/subject-evidence.ts'

/** Weighted sum of features, as log-odds. */
export type LinearModel = { bias: number; weights: Readonly<Record<string, number>> }

/**
 * Conditional logit model over the sentences of one question. Each sentence answers with a
 * probability proportional to `exp(score)`, and none answers with a probability proportional to 1.
 * `confidence` is a logistic model of the best sentence, and `caution` scales positive log-odds.
 * `npm run bench -- train` writes both (docs/decisions/0024).
 */
export type AnswerModel = LinearModel & { confidence: LinearModel & { caution: number } }

/** Features of a sentence, most of them 0 to 1. None depends on the size of the memory. */
export type AnswerFeatures = Readonly<Record<string, number>>

/** Start of the names of the features for the kind of answer: `asksDate`. */
export const ASKS = 'asks'
const COMPLETE = 0.99
const MAX_FOUND_WORDS = 6
const MAX_MISSING_WORDS = 4
/** Scales of the score of a sentence, and of the difference to the best one. */
const SCORE_SCALE = 20
const GAP_SCALE = 5
/** Kinds whose values have a figure. */
const FIGURE_KINDS: ReadonlySet<AnswerKind> = new Set(['money', 'amount', 'percentage', 'number'])
/** Least probability, and least distance to 1, in log-odds. */
const LEAST = 1e-5
/** A name weighs as much as a word of eight letters. No word weighs more than one of ten. */
const NAME_WEIGHT = 1.6
const LETTERS_A_WEIGHT = 5
const MAX_LETTERS = 10
const PAIR = /^[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]{2}$/v

/**
 * A sentence with its passage. `grams` is the share of the question's four-grams in the sentence
 * and its headings, `cosine` the semantic similarity. `semantic` is that of the passage.
 */
export type Candidate = Pick<ScoredSentence, 'features' | 'score' | 'sentence'> & {
  passage: ReadPassage
  subject: SubjectEvidence
  headingCosine: number
  grams: number
  cosine: number
  semantic: number
  /** The sentence has only the title in common with the question. */
  isBeside: boolean
  /** The sentence has nothing of the kind asked for, and the question has one word. */
  lacksKind: boolean
}

/** A rated sentence: log-odds to no answer, and the probability of being the answer. */
export type Rating = { score: number; probability: number }

/** Rates the sentences of one question. `candidates` and the result are in the same order. */
export function rateCandidates(features: readonly AnswerFeatures[], model: LinearModel = ANSWER_MODEL): Rating[] {
  const names = Object.keys(model.weights)
  const scores = features.map((own) =>
    names.reduce((sum, name) => sum + (model.weights[name] ?? 0) * (own[name] ?? 0), model.bias),
  )
  const highest = Math.max(0, ...scores)
  const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), Math.exp(-highest))
  return scores.map((score) => ({ score, probability: Math.exp(score - highest) / total }))
}

/** A rated sentence with its text and features. */
export type RatedText = { text: string; features: AnswerFeatures; probability: number }

/**
 * Returns the features of the confidence: the best sentence's features, and three log-odds. The
 * sentence answers, the sentence or a copy answers, any sentence answers.
 */
export function readAnswerFeatures(rated: readonly RatedText[], best: RatedText): AnswerFeatures {
  const text = collapse(best.text)
  const sum = (texts: readonly RatedText[]) => texts.reduce((total, { probability }) => total + probability, 0)
  return {
    ...best.features,
    ownOdds: toLogOdds(best.probability),
    alikeOdds: toLogOdds(sum(rated.filter((one) => collapse(one.text) === text))),
    anyOdds: toLogOdds(sum(rated)),
  }
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function toLogOdds(probability: number): number {
  const bounded = Math.min(1 - LEAST, Math.max(LEAST, probability))
  return Math.log(bounded / (1 - bounded))
}

/** Returns the confidence of an answer, by features of `readAnswerFeatures`. */
export function rateAnswer(features: AnswerFeatures, { caution, ...model } = ANSWER_MODEL.confidence): number {
  return toConfidence(rateOdds(features, model), caution)
}

/** Returns the log-odds of a right answer, at most the log-odds of any answer. */
export function rateOdds(features: AnswerFeatures, model: LinearModel): number {
  const odds = rateCandidates([features], model)[0]?.score ?? 0
  return Math.min(odds, features['anyOdds'] ?? odds)
}

/** Returns the confidence of an answer by the log-odds of a right answer. */
export function toConfidence(odds: number, caution: number): number {
  return 1 / (1 + Math.exp(-(odds > 0 ? caution * odds : odds)))
}

/** Lists the features of the sentences of one question. */
export function listFeatures(
  candidates: readonly Candidate[],
  question: { kind: AnswerKind; units: readonly QuestionUnit[] },
): AnswerFeatures[] {
  const own = candidates.map((candidate) => readFeatures(candidate, question))
  const most = (name: string) => Math.max(...own.map((one) => one[name] ?? 0))
  const [base, cosine, coverage, aligned] = ['base', 'sentenceCosine', 'coverage', 'aligned'].map(most)
  const least = Math.min(...candidates.map(({ subject }) => subject.missing.size))
  const behind = (most: number | undefined, value: number | undefined) => (most ?? 0) - (value ?? 0)
  return own.map((one, index) => ({
    ...one,
    baseGap: (SCORE_SCALE / GAP_SCALE) * behind(base, one['base']),
    cosineGap: behind(cosine, one['sentenceCosine']),
    coverageGap: behind(coverage, one['coverage']),
    alignedGap: behind(aligned, one['aligned']),
    missingGap: (candidates[index]?.subject.missing.size ?? 0) - least,
  }))
}

function readFeatures(
  candidate: Candidate,
  { kind, units }: { kind: AnswerKind; units: readonly QuestionUnit[] },
): Record<string, number> {
  const { passage, subject, features, sentence } = candidate
  const there = new Set([...passage.units, ...passage.context])
  const { inPassage, elsewhere, nowhere, missing, missingNames, isOfOther, specific, ...evidence } = subject
  const met = 1 - inPassage - elsewhere - nowhere
  const { strong, soft, cosine, grams, passage: passageShare, ...surface } = features
  return {
    ...evidence,
    ...surface,
    [`${ASKS}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`]: 1,
    ...{ inPassage, elsewhere, nowhere, passageShare },
    ...{ sentenceGrams: grams, sentenceCosine: cosine, grams: candidate.grams, cosine: candidate.cosine },
    gramsAbove: Math.max(0, candidate.grams - grams),
    passage: createWeightedShare(units.map(weightOf))(there),
    found: Math.min(MAX_FOUND_WORDS, countWords([...there].map((unit) => units[unit]))) / MAX_FOUND_WORDS,
    specific: Math.min(MAX_FOUND_WORDS, specific) / MAX_FOUND_WORDS,
    met: Math.min(MAX_FOUND_WORDS, specific * met) / MAX_FOUND_WORDS,
    rowLacks: missing.size === 0 ? 0 : surface.row,
    rowNamed: missing.size === 0 ? surface.rowNamed : 0,
    isComplete: missing.size === 0 ? 1 : 0,
    missing: Math.min(MAX_MISSING_WORDS, missing.size) / MAX_MISSING_WORDS,
    missingNames: Math.min(MAX_MISSING_WORDS, missingNames.size) / MAX_MISSING_WORDS,
    isOfOther: Number(isOfOther),
    hasStrong: Number(strong > 0),
    lacksStrong: Number(strong < 0),
    lacksFigure: Number(strong < 0 && FIGURE_KINDS.has(kind)),
    hasSoft: Number(soft > 0),
    lacksSoft: Number(soft < 0),
    isTextComplete: Number(evidence.alignedText > COMPLETE),
    isBlockComplete: Number(evidence.alignedBlock > COMPLETE),
    repliesTo: isReply(sentence.parent) ? evidence.alignedBlock ** 3 : 0,
    base: candidate.score / SCORE_SCALE,
    hasParent: Number(sentence.parent !== null),
    isRightBelow: Number(sentence.parent?.place === sentence.place - 1),
    headingCosine: candidate.headingCosine,
    semantic: candidate.semantic,
    isBeside: Number(candidate.isBeside),
    lacksKind: Number(candidate.lacksKind),
  }
}

/** True below a question, and below the label of a form. */
function isReply(parent: ParentLine | null): boolean {
  return parent !== null && (isQuestion(parent.text) || parent.isAsked === true || parent.isLabel === true)
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
