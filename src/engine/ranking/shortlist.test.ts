import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { applyReranking, leastCosine, type Match, shortlist } from './shortlist.ts'

function match(over: Partial<Match>): Match {
  return { lexical: null, semantic: null, ...over }
}

describe('shortlist', () => {
  it('names each place once, and leaves what promises the same as it came', () => {
    assert.deepEqual(shortlist([match({}), match({})], 0.5), [0, 1])
    assert.deepEqual(shortlist([], 0.5), [])
  })

  it('puts what both legs found before what one did', () => {
    const matches = [
      match({ lexical: 5 }),
      match({ lexical: 4, semantic: 0.8 }),
      match({ semantic: 0.7 }),
      match({ lexical: 5, semantic: 0.6 }),
      match({ lexical: 1, semantic: 0.2 }),
    ]
    assert.deepEqual(shortlist(matches, 0.5), [1, 3, 0, 2, 4])
  })

  it('goes by one leg alone where only that one found something', () => {
    const lexical = [1, 3, 2].map((score) => match({ lexical: score }))
    assert.deepEqual(shortlist(lexical, 0.5), [1, 2, 0])
    const semantic = [0.1, 0.3, 0.2].map((score) => match({ semantic: score }))
    assert.deepEqual(shortlist(semantic, 1), [1, 2, 0])
  })
})

describe('leastCosine', () => {
  it('is that of the last that the semantic leg found, of none where it found nothing', () => {
    assert.equal(leastCosine([match({ semantic: 0.4 }), match({ lexical: 9 }), match({ semantic: -0.1 })]), -0.1)
    assert.equal(leastCosine([match({ lexical: 9 })]), null)
  })
})

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
