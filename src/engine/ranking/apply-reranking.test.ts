import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyReranking } from './apply-reranking.ts'

const RANKED = [0.9, 0.6, 0.5, 0.25].map((score, at) => ({ name: 'abcd'[at], score, scores: { rerank: 0.1 } }))

function rerank(scores: readonly number[]) {
  return applyReranking(RANKED, scores).map(({ name, score, scores }) => [
    name,
    Math.round(score * 1000) / 1000,
    scores.rerank === null ? null : Math.round(scores.rerank * 1000) / 1000,
  ])
}

test('what the model read stands in its order, what it did not read behind it, with scores that fall', () => {
  assert.deepEqual(rerank([0.2, 0.8]), [
    ['b', 0.8, 0.8],
    ['a', 0.2, 0.2],
    ['c', 0.2, null],
    ['d', 0.1, null],
  ])
})

test('scores that are no shares are brought between 0 and 1, in the same order', () => {
  assert.deepEqual(rerank([-2, 3, 0, -4]), [
    ['b', 0.953, 0.953],
    ['c', 0.5, 0.5],
    ['a', 0.119, 0.119],
    ['d', 0.018, 0.018],
  ])
})

test('equal scores keep the order there was', () => {
  assert.deepEqual(
    rerank([0, 0, 0, 0]).map(([name]) => name),
    ['a', 'b', 'c', 'd'],
  )
})

test('nothing read changes no order', () => {
  assert.deepEqual(
    rerank([]).map(([name]) => name),
    ['a', 'b', 'c', 'd'],
  )
})
