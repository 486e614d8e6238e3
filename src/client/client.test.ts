import assert from 'node:assert/strict'
import test from 'node:test'
import { evaluateInBatches } from './client.ts'
import type { Evaluation, KnownQuestion } from './findings.ts'

const questions = (count: number): KnownQuestion[] =>
  Array.from({ length: count }, (_, index) => ({ query: `q${index}`, documentIds: ['d'] }))

/** Evaluation with the same value for every metric. */
function evaluation(part: readonly KnownQuestion[], figure: number): Evaluation {
  const figures = { ndcg: figure, recall: figure, mrr: figure, precision: figure, meanMs: figure }
  return {
    questions: part.length,
    topK: 10,
    results: [{ mode: 'hybrid', ...figures }],
    perQuestion: part.map(({ query }, index) => ({ index, query, mode: 'hybrid', rank: 1, ndcg: 1, recall: 1 })),
    warnings: [],
  }
}

test('splits a long set and averages the metrics over all questions', async () => {
  const sizes: number[] = []
  const told: number[] = []
  const whole = await evaluateInBatches(
    questions(1100),
    async (part) => {
      sizes.push(part.length)
      return evaluation(part, sizes.length)
    },
    { onProgress: (done) => void told.push(done) },
  )
  assert.deepEqual([sizes, told, whole.questions], [[500, 500, 100], [500, 1000, 1100], 1100])
  // (500 x 1 + 500 x 2 + 100 x 3) / 1100
  assert.ok(Math.abs((whole.results[0]?.ndcg ?? 0) - 1800 / 1100) < 1e-12)
  assert.ok(whole.perQuestion.every(({ index, query }) => query === `q${index}`))
})

test('reports progress after each batch of the given size', async () => {
  const told: number[] = []
  const onProgress = (done: number) => void told.push(done)
  await evaluateInBatches(questions(5), async (part) => evaluation(part, 1), { onProgress, batchSize: 2 })
  assert.deepEqual(told, [2, 4, 5])
})

test('rejects an empty set of questions', async () => {
  await assert.rejects(
    evaluateInBatches([], async (part) => evaluation(part, 1)),
    RangeError,
  )
})
