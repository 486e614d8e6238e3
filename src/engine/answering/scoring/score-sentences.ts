import type { Steps } from '../../../concurrency/in-turns.ts'
import type { ReadSentence } from '../reading/read-sentences.ts'
import { computeFeatures, type FeatureInput, type SentenceFeatures } from './sentence-features.ts'

/** A sentence and how well it answers, on a scale of its own: the difference of two is the logarithm of their odds. */
export type ScoredSentence = { sentence: ReadSentence; features: SentenceFeatures; score: number }

/**
 * Learnt on half of the questions of six sets in five languages (listwise softmax over the sentences of ten passages,
 * docs/decisions/0024), and rounded.
 */
const WEIGHTS: SentenceFeatures = {
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

/** Every sentence of the passages with its score, the best first; the earlier of equals first. A sentence a step. */
export function* scoreSentences(input: FeatureInput): Steps<ScoredSentence[]> {
  const names = Object.keys(WEIGHTS) as (keyof SentenceFeatures)[]
  return (yield* computeFeatures(input))
    .map(({ sentence, features }) => {
      const score = names.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0)
      return { sentence, features, score }
    })
    .sort((a, b) => b.score - a.score)
}
