import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { scoreSpeakers } from './neighbours.ts'

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
