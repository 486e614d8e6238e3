import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { AnswerKind } from '../languages/language.ts'
import { createFourGrams, type FourGrams } from '../ranking/four-grams.ts'
import { dotProduct } from '../vectors.ts'
import type { ParentLine } from './parent-lines.ts'
import type { Match, MatchedText, Passage } from './passage.ts'
import type { QuestionUnit } from './question-units.ts'
import { headingOf, type ReadPassage, type ReadSentence, withAntecedent } from './read-sentences.ts'
import { createSurfaceReader, type SurfaceFeatures } from './surface-features.ts'

/**
 * Features of a sentence, 0 to 1 unless noted. Title, headings and parent line count as part of the
 * sentence: `Weight: 4.2 kg` in a manual need not name the product. A sentence that starts with a
 * pronoun includes the previous sentence.
 */
type SentenceFeatures = SurfaceFeatures & {
  /** Share of the question in the sentence, weighted by rarity in the passages. */
  coverage: number
  /** Same for words only in the previous sentence, and only in the next one. */
  before: number
  after: number
  passage: number
  /** Share of adjacent question words that are close together. */
  pairs: number
  /** Share of the question's four-grams. */
  grams: number
  /** Cosine of sentence and question, -1 to 1; 0 if unknown. */
  cosine: number
  /** Score of the passage relative to the best one. */
  score: number
  short: number
}

/** Maximum distance of adjacent question words. */
const PAIR_CHARACTERS = 24

/** Input for the features. */
type FeatureInput = {
  question: string
  kind: AnswerKind
  units: readonly QuestionUnit[]
  /** The question is negated. */
  isNegated: boolean
  words: readonly string[]
  vector: Float32Array | null
  passages: readonly Passage[]
  read: readonly ReadPassage[]
}

/** Computes the features of every sentence, in order, one sentence per step. */
function* computeFeatures(
  input: FeatureInput,
): CooperativeTask<{ sentence: ReadSentence; features: SentenceFeatures }[]> {
  const { passages, read, units } = input
  const weights = units.map((_, unit) => rarity(read.filter((passage) => passage.units.has(unit)).length, read.length))
  const shareOf = createWeightedShare(weights)
  const grams = createFourGrams(input.words)
  const best = passages[0]?.score ?? 0
  const looksOf = createSurfaceReader(input)
  const computed: { sentence: ReadSentence; features: SentenceFeatures }[] = []
  for (const [index, { sentences, units: passageUnits, context, titled }] of read.entries()) {
    const passage = passages[index]
    if (passage === undefined) continue
    const above = grams.count(headingOf(passage)).counts
    const likenessOf = (text: string, { matches, units: own }: MatchedText, place: number | null): Similarities => ({
      pairs: pairShare(matches, units.length),
      grams:
        grams.size > 0
          ? gramShare(grams, withAskedWords(text, matches, units), above)
          : new Set([...own, ...context]).size / Math.max(1, units.length),
      cosine: cosineOf(input.vector, passage, place),
    })
    for (const [place, sentence] of sentences.entries()) {
      const { parent } = sentence
      const text = passage.text.slice(sentence.start, sentence.end)
      const told = withAntecedent(sentence, sentences[place - 1])
      const own = new Set([...told.units, ...(parent?.units ?? []), ...context])
      const before = sentences[place - 1]?.units ?? new Set()
      const after = sentences[place + 1]?.units ?? new Set()
      const whole = likenessOf(passage.text.slice(told.start, sentence.end), told, place)
      const likeness = { ...whole, pairs: pairShare(sentence.matches, units.length) }
      computed.push({
        sentence,
        features: {
          coverage: shareOf(own),
          before: shareOf(without(before, own)),
          after: shareOf(without(after, own)),
          passage: shareOf(passageUnits),
          ...withParent(likeness, sentence, (one) => likenessOf(one.text, one, one.place)),
          ...looksOf(sentence, { text, titled }),
          score: best > 0 ? passage.score / best : 0,
          short: Math.max(0, 1 - text.length / 60),
        },
      })
      yield
    }
  }
  return computed
}

type Similarities = Pick<SentenceFeatures, 'pairs' | 'grams' | 'cosine'>

/** A distant heading gives the subject of a sentence, but not its wording. */
function withParent(
  own: Similarities,
  { parent, place }: ReadSentence,
  likenessOf: (parent: ParentLine) => Similarities,
): Similarities {
  if (parent === null) return own
  const above = likenessOf(parent)
  const isNext = parent.place === null || parent.place === place - 1
  return isNext ? maxOf(own, above) : { ...own, grams: Math.max(own.grams, above.grams) }
}

function maxOf(one: Similarities, other: Similarities): Similarities {
  return {
    pairs: Math.max(one.pairs, other.pairs),
    grams: Math.max(one.grams, other.grams),
    cosine: Math.max(one.cosine, other.cosine),
  }
}

/** Appends the question words whose synonyms the text contains: "weight" also counts as "heavy". */
export function withAskedWords(text: string, matches: readonly Match[], units: readonly QuestionUnit[]): string {
  const words = matches.flatMap(({ unit, term }) => (units[unit]?.synonyms.includes(term) ? [units[unit].word] : []))
  return words.length === 0 ? text : [text, ...words].join('\n')
}

/** Share of the question's four-grams in a text or in `above`. */
export function gramShare(grams: FourGrams, text: string, above?: Uint32Array): number {
  return grams.count(text).counts.filter((count, run) => count > 0 || (above?.[run] ?? 0) > 0).length / grams.size
}

/** Robertson's idf over the passages, never 0: a word in all passages still matters. */
function rarity(found: number, all: number): number {
  return 0.3 + Math.log(1 + (all - found + 0.5) / (found + 0.5))
}

/** Creates a function that returns the weighted share of some parts. */
export function createWeightedShare(weights: readonly number[]): (parts: ReadonlySet<number>) => number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return (parts) => {
    let sum = 0
    for (const part of parts) sum += weights[part] ?? 0
    return whole > 0 ? sum / whole : 0
  }
}

function without(parts: ReadonlySet<number>, others: ReadonlySet<number>): Set<number> {
  return new Set([...parts].filter((part) => !others.has(part)))
}

function pairShare(matches: readonly Match[], units: number): number {
  const together = new Set<number>()
  matches.forEach((match, index) => {
    for (let next = index + 1; next < matches.length; next++) {
      const other = matches[next]
      if (other === undefined || other.start - match.end > PAIR_CHARACTERS) break
      if (Math.abs(other.unit - match.unit) === 1) together.add(Math.min(other.unit, match.unit))
    }
  })
  return together.size / Math.max(1, units - 1)
}

function cosineOf(question: Float32Array | null, { vectors, semantic }: Passage, place: number | null): number {
  if (question === null || vectors === null) return semantic ?? 0
  return place === null ? 0 : dotProduct(vectors[place] ?? new Float32Array(), question)
}

/** A sentence with its score. The difference of two scores is the logarithm of their odds. */
export type ScoredSentence = { sentence: ReadSentence; features: SentenceFeatures; score: number }

/**
 * Trained on half of the questions of six sets in five languages (listwise softmax over the
 * sentences of ten passages, docs/decisions/0024), rounded.
 */
const WEIGHTS: Omit<SentenceFeatures, 'otherMeasure' | 'row' | 'rowNamed' | 'uncounted'> = {
  coverage: 3.6,
  before: 2.8,
  after: 1.4,
  passage: 2.3,
  pairs: 0.8,
  grams: 4.1,
  cosine: 2.2,
  strong: 0.8,
  soft: 0.4,
  reason: 0.7,
  defines: 1.5,
  step: 2.5,
  opposite: -1.2,
  near: 1.2,
  score: 5.5,
  short: -0.3,
}

/**
 * Scores every sentence, best first; earlier sentences first among equals. One sentence per step.
 */
export function* scoreSentences(input: FeatureInput): CooperativeTask<ScoredSentence[]> {
  const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]
  return (yield* computeFeatures(input))
    .map(({ sentence, features }) => {
      const score = names.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0)
      return { sentence, features, score }
    })
    .sort((a, b) => b.score - a.score)
}
