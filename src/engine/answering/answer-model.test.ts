import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passage, quote } from '../../../test/support/ask-passages.ts'
import { rateAnswer, readAnswerFeatures } from './answer-model.ts'

const isNear = (value: number | undefined, expected: number) => Math.abs((value ?? 0) - expected) < 1e-9

test('copies share the probability of an answer, and other answers compete', () => {
  const features = { near: 1 }
  const best = { text: 'Rent is due on Monday.', features, probability: 0.4 }
  const copy = { text: 'Rent is  due\non Monday.', features: {}, probability: 0.3 }
  const other = { text: 'Rent is due on Friday.', features: {}, probability: 0.2 }
  const read = readAnswerFeatures([other, best, copy], best)
  assert.equal(read['near'], 1)
  assert.ok(isNear(read['ownOdds'], Math.log(0.4 / 0.6)))
  assert.ok(isNear(read['alikeOdds'], Math.log(0.7 / 0.3)))
  assert.ok(isNear(read['anyOdds'], Math.log(0.9 / 0.1)))
})

test('a probability of 1 has finite log-odds', () => {
  const best = { text: 'Yes.', features: {}, probability: 1 }
  assert.ok(Number.isFinite(readAnswerFeatures([best], best)['ownOdds']))
})

test('the confidence is cautious above .5 only', () => {
  const model = { bias: 0, caution: 0.5, weights: { ownOdds: 1 } }
  assert.ok(isNear(rateAnswer({ ownOdds: 2 }, model), 1 / (1 + Math.exp(-1))))
  assert.ok(isNear(rateAnswer({ ownOdds: -2 }, model), 1 / (1 + Math.exp(2))))
})

test('the confidence is at most the probability that any sentence answers', () => {
  const model = { bias: 0, caution: 1, weights: { near: 9 } }
  assert.ok(isNear(rateAnswer({ near: 1, anyOdds: -1 }, model), 1 / (1 + Math.exp(1))))
})

test('a question for a price or number counts against sentences without a figure', () => {
  const hedge = passage('Plot 9 becomes free in June. The hedge cost 20 euros.')
  const featuresOf = (question: string) => {
    const { candidates } = quote(question, [hedge])
    return [...candidates].sort((a, b) => a.start - b.start).map(({ features }) => features['lacksFigure'])
  }
  assert.deepEqual(featuresOf('What did the hedge cost?'), [1, 0])
  assert.deepEqual(featuresOf('Where is the hedge?'), [0, 0])
})

test('four-grams of the sentence and four-grams of its headings alone are separate features', () => {
  const below = passage('## Hire of a boat\n\nOpen all day.\n\nThe fee is 20 euros.')
  const [hire] = quote('What is the fee for the hire of a boat?', [below]).candidates
  const [plain] = quote('What is the fee?', [below]).candidates
  assert.ok((hire?.features['gramsAbove'] ?? 0) > 0)
  assert.equal(plain?.features['gramsAbove'], 0)
})
