import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgeRanking } from './judge-ranking.ts'

describe('judgeRanking', () => {
  it('gives what was worked out by hand', () => {
    const gains = new Map([
      ['a', 3],
      ['b', 2],
      ['c', 1],
      ['d', 0],
    ])
    const { ndcg, recall, reciprocalRank } = judgeRanking(['x', 'b', 'd', 'a'], gains)
    // Found: 2 at place 2 (÷ 1.584963), 3 at place 4 (÷ 2.321928) = 2.553889; best: 3 + 2 ÷
    // 1.584963 + 1 ÷ 2 = 4.761860.
    assert.equal(ndcg.toFixed(6), '0.536322')
    assert.equal(recall.toFixed(6), '0.666667')
    assert.equal(reciprocalRank, 0.5)
  })

  it('counts ten places, and a document once', () => {
    const gains = new Map([['a', 1]])
    const others = Array.from({ length: 10 }, (_, place) => `other${place}`)
    assert.deepEqual(judgeRanking([...others, 'a'], gains), { ndcg: 0, recall: 0, reciprocalRank: 0 })
    assert.deepEqual(judgeRanking(['a', 'a'], gains), { ndcg: 1, recall: 1, reciprocalRank: 1 })
    assert.equal(judgeRanking(['x', 'x', 'a'], gains).reciprocalRank, 1 / 2)
  })

  it('is nothing where nothing is relevant', () => {
    assert.deepEqual(judgeRanking(['a'], new Map([['a', 0]])), { ndcg: 0, recall: 0, reciprocalRank: 0 })
  })
})
