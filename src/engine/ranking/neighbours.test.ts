import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { packWindows } from '../windows.ts'
import { scoreSpeakers, similaritySmoothing } from './neighbours.ts'

describe('a speaker that the query names', () => {
  const analyzer = createAnalyzer()
  const speakersIn = (query: string, language: string, texts: string[]) =>
    scoreSpeakers(texts, analyzer.queryTerms(query, [language]))

  it('matches by name, and by bigrams in scripts without spaces', () => {
    assert.deepEqual(speakersIn("What is Anna's dog?", 'en', ['Anna: Rex', 'Igor: Anna, why?', 'Rex']), [1, 0, 0])
    assert.deepEqual(speakersIn('小明的狗怎么了？', 'zh', ['小明：病了', '李红：小明，怎么了？']), [1, 0])
    assert.deepEqual(speakersIn('健太は何を買いましたか', 'ja', ['健太：車', '由美：健太さん']), [1, 0])
    assert.deepEqual(speakersIn('민수가 산 것은?', 'ko', ['민수: 자전거', '지연: 민수 씨']), [1, 0])
  })

  it('does not match by a part of the name', () => {
    assert.deepEqual(speakersIn('小明的狗', 'zh', ['小明明：病了', '小红：怎么了？', '明：好']), [0, 0, 0])
    assert.deepEqual(speakersIn('Annas Hund', 'de', ['Anna: Rex', 'Jan: Bello']), [0, 0])
  })
})

const embedded = (documentId: string, ...windows: number[]) => ({
  documentId,
  windows: packWindows(Int8Array.from(windows)),
})
const rounded = (scores: readonly number[]) => scores.map((score) => Number(score.toFixed(3)))

describe('similaritySmoothing', () => {
  it('gives the similarity-weighted mean score of chunks of other documents', () => {
    const candidates = [embedded('a', 127, 0), embedded('b', 127, 0), embedded('c', 0, 127)]
    assert.deepEqual(rounded(similaritySmoothing(candidates, [0.2, 1, 0.5], 2)), [1, 0.2, 0])
  })

  it('compares the sums of all windows', () => {
    const candidates = [embedded('a', 127, 0, 0, 127), embedded('b', 0, 127), embedded('c', 127, 0, 127, 0)]
    assert.deepEqual(rounded(similaritySmoothing(candidates, [1, 0.4, 0.8], 2)), [0.6, 1, 1])
  })

  it('uses the four nearest chunks', () => {
    const others = Array.from({ length: 6 }, (_, place) => embedded(`other${place}`, 100 - 10 * place, 10))
    const [lent] = similaritySmoothing([embedded('a', 127, 12), ...others], [1, 0.5, 0.5, 0.5, 0.5, 0, 0], 2)
    assert.equal(lent?.toFixed(6), '0.500000')
  })

  it('ignores chunks of the same document, without windows, or far down the ranking', () => {
    const candidates = [embedded('a', 127, 0), embedded('a', 127, 0), embedded('b')]
    assert.deepEqual(similaritySmoothing(candidates, [1, 0.9, 0.8], 2), [0, 0, 0])
    const many = Array.from({ length: 60 }, (_, place) => embedded(`doc${place}`, 127, 0))
    const lent = similaritySmoothing(
      many,
      many.map((_, place) => 1 - place / 100),
      2,
    )
    assert.ok((lent[0] ?? 0) > 0)
    assert.equal(lent[59], 0)
    assert.deepEqual(
      similaritySmoothing(many, [], 0),
      many.map(() => 0),
    )
  })
})
