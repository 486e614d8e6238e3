import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { packWindows } from '../windows.ts'
import { breakDownScore, readTopScore } from './break-down-score.ts'
import { type Candidate, type RankingAccount, rankCandidates } from './rank-candidates.ts'

const analyzer = createAnalyzer()

/**
 * In thousandths: shares of what is far smaller say nothing, and are as inexact as the smallest
 * numbers.
 */
const figure = (min: number, max: number) => fc.integer({ min: 1000 * min, max: 1000 * max }).map((n) => n / 1000)
const CANDIDATE = fc.record({
  chunkIndex: fc.nat(3),
  text: fc.oneof(fc.lorem({ maxCount: 30 }), fc.constantFrom('Ann: lorem ipsum', 'ipsum dolor', 'lorme ipsun')),
  titleTerms: fc.array(fc.constantFrom('lorem', 'dolor')),
  title: figure(0, 9),
  lexical: fc.option(figure(0, 30)),
  semantic: fc.option(figure(-1, 1)),
  windows: fc
    .array(fc.integer({ min: -127, max: 127 }), { maxLength: 8 })
    .map((bytes) => packWindows(Int8Array.from(bytes))),
})

function rank(facts: readonly Omit<Candidate, 'documentId' | 'documentSeq'>[], query: string, rerank: boolean) {
  const candidates = facts.map((each, seq) => ({ ...each, documentId: `doc${seq % 3}`, documentSeq: seq % 3 }))
  const { terms, words, pairs, phrases } = analyzer.queryTerms(query, ['en'])
  const accounts: RankingAccount[] = []
  const ranked = rankCandidates(candidates, {
    ...{ mode: 'hybrid', terms, words, pairs, phrases, languages: ['en'], semanticWeight: 0.4, rerank },
    vector: new Float32Array([0.6, 0.8]),
    tell: (account) => void accounts.push(account),
  })
  const [account] = accounts
  assert.ok(account !== undefined)
  return { ranked, account }
}

describe('breakDownScore', () => {
  it('gives parts whose points add up to the score', () => {
    fc.assert(
      fc.property(
        fc.array(CANDIDATE, { minLength: 1, maxLength: 20 }),
        fc.constantFrom('lorem ipsum', 'Ann lorem', '"ipsum dolor" sit', 'lorxm amte'),
        fc.boolean(),
        (facts, query, rerank) => {
          const { ranked, account } = rank(facts, query, rerank)
          for (const { index, score } of ranked) {
            const sum = breakDownScore(account, index).reduce((total, { points }) => total + points, 0)
            assert.ok(Math.abs(sum - score) < 1e-9, `${sum} is not ${score}`)
          }
        },
      ),
    )
  })

  it('gives raw values and scales, from which the shares follow', () => {
    fc.assert(
      fc.property(fc.array(CANDIDATE, { minLength: 1, maxLength: 20 }), (facts) => {
        const { ranked, account } = rank(facts, 'Ann lorem "ipsum dolor"', true)
        const parts = ranked.flatMap(({ index }) => breakDownScore(account, index))
        for (const { name, raw, scale, share } of parts) {
          if (raw === null || scale === null) continue
          const range = scale.one - scale.zero
          const expected = range > 0 ? Math.max(0, (raw - scale.zero) / range) : null
          if (expected !== null) assert.ok(Math.abs(share - expected) < 1e-9, `${name}: ${share} is not ${expected}`)
        }
      }),
    )
  })

  it('gives the total that scores are relative to, and the confidence', () => {
    const facts = { chunkIndex: 0, titleTerms: [], title: 0, semantic: 0.5, windows: new Uint8Array() }
    const { account, ranked } = rank([{ ...facts, text: 'the ipsum, and nothing', lexical: 8 }], 'ipsum dolor', true)
    const { score, total, words, meaning } = readTopScore(account)
    assert.deepEqual([words, meaning], [0.5, 0.5])
    assert.ok(Math.abs(score - 0.75) < 1e-9 && ranked[0]?.score === score)
    const [part] = breakDownScore(account, 0)
    assert.ok(Math.abs((part?.points ?? 0) - ((part?.share ?? 0) * (part?.weight ?? 0) * score) / total) < 1e-9)
  })

  it('names the features with points', () => {
    const facts = { chunkIndex: 0, titleTerms: [], title: 0, semantic: null, windows: new Uint8Array() }
    const { account } = rank(
      [
        { ...facts, text: 'Ann: the ipsum dolor', lexical: 8 },
        { ...facts, text: 'something else', lexical: 2, title: 3 },
      ],
      'Ann "ipsum dolor"',
      true,
    )
    const given = (index: number) =>
      breakDownScore(account, index).flatMap(({ name, points }) => (points > 0 ? [name] : []))
    assert.deepEqual(given(0), ['words', 'runs', 'pairs', 'speaker', 'phrase'])
    // The least of a leg is 0 on its scale.
    assert.deepEqual(given(1), ['title'])
  })
})
