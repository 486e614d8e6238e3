import assert from 'node:assert/strict'
import test from 'node:test'
import { measureRanking } from './evaluate-service.ts'

const relevant = (...names: string[]) => new Map(names.map((name) => [name, 1]))

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`)
}

test('matches metrics computed by hand', () => {
  // Relevant: b, d, z. Found at places 2 and 4 of 5.
  const figures = measureRanking(['a', 'b', 'c', 'd', 'e'], { gains: relevant('b', 'd', 'z'), depth: 5 })
  const gained = 1 / Math.log2(3) + 1 / Math.log2(5)
  const ideal = 1 + 1 / Math.log2(3) + 1 / Math.log2(4)
  assertNear(figures.ndcg, gained / ideal)
  assertNear(figures.ndcg, 0.49818925746641285)
  assert.deepEqual([figures.rank, figures.recall, figures.reciprocalRank, figures.precision], [2, 2 / 3, 0.5, 2 / 5])
})

test('weights by gain: a worse order scores lower', () => {
  const gains = new Map([
    ['best', 3],
    ['good', 2],
    ['fair', 1],
  ])
  const { ndcg } = measureRanking(['fair', 'best', 'good'], { gains, depth: 3 })
  // (1/1 + 3/1.58496 + 2/2) / (3/1 + 2/1.58496 + 1/2)
  assertNear(ndcg, (1 + 3 / Math.log2(3) + 1) / (3 + 2 / Math.log2(3) + 0.5))
  assertNear(measureRanking(['best', 'good', 'fair'], { gains, depth: 3 }).ndcg, 1)
})

test('scores 1 for a perfect ranking and 0 without a relevant document', () => {
  const gains = relevant('a', 'b', 'c')
  const perfect = measureRanking(['c', 'a', 'b', 'x'], { gains, depth: 3 })
  assert.deepEqual(perfect, { rank: 1, ndcg: 1, recall: 1, reciprocalRank: 1, precision: 1 })
  const none = { rank: null, ndcg: 0, recall: 0, reciprocalRank: 0, precision: 0 }
  assert.deepEqual(measureRanking(['x', 'y', 'z'], { gains, depth: 3 }), none)
  assert.deepEqual(measureRanking([], { gains, depth: 10 }), none)
  assert.deepEqual(measureRanking(['a'], { gains: new Map(), depth: 10 }), none)
})

test('ignores documents beyond the depth', () => {
  const figures = measureRanking(['x', 'y', 'a'], { gains: relevant('a'), depth: 2 })
  assert.deepEqual([figures.rank, figures.ndcg, figures.recall], [null, 0, 0])
  assert.equal(measureRanking(['x', 'y', 'a'], { gains: relevant('a'), depth: 3 }).rank, 3)
})

test('scores a full page perfect except for recall if more documents are relevant', () => {
  const figures = measureRanking(['a', 'b'], { gains: relevant('a', 'b', 'c', 'd'), depth: 2 })
  assert.deepEqual([figures.ndcg, figures.precision, figures.recall], [1, 1, 0.5])
})

test('never lowers a metric when a relevant document moves up', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const gains = new Map([
    ['c', 2],
    ['e', 1],
    ['f', 3],
  ])
  for (let place = 1; place < names.length; place++) {
    const [before = '', own = ''] = names.slice(place - 1, place + 1)
    if ((gains.get(own) ?? 0) <= (gains.get(before) ?? 0)) continue
    const moved = names.with(place - 1, own).with(place, before)
    for (let depth = 1; depth <= names.length; depth++) {
      const [was, is] = [measureRanking(names, { gains, depth }), measureRanking(moved, { gains, depth })]
      for (const figure of ['ndcg', 'recall', 'reciprocalRank', 'precision'] as const) {
        assert.ok(is[figure] >= was[figure], `${figure} at ${depth} after ${own} moved up`)
        assert.ok(is[figure] >= 0 && is[figure] <= 1)
      }
    }
  }
})
