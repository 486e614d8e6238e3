import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'
import { stripKoreanEnding } from './unspaced-terms.ts'

describe('stripKoreanEnding', () => {
  const strip = (text: string) => stripKoreanEnding({ text, start: 0, end: text.length, kind: 'hangul' }).text

  it('removes particles, also several', () => {
    for (const word of ['도서관을', '도서관에서', '도서관에서는', '도서관으로', '도서관까지는', '도서관들과'])
      assert.equal(strip(word), '도서관')
  })

  it('removes verbal suffixes', () => {
    for (const word of ['설치하는', '설치합니다', '설치했습니다', '설치하려면', '설치되는', '설치된다', '설치해야'])
      assert.equal(strip(word), '설치')
  })

  it('keeps two syllables, and words without suffixes', () => {
    for (const word of ['회의', '컴퓨터', '카메라', '해상도', '전문가', '고양이', '유통기한', '부당해고', '계약해지'])
      assert.equal(strip(word), word)
  })

  it('keeps words of other scripts', () => {
    const word = { text: 'konto', start: 0, end: 5, kind: 'word' } as const
    assert.equal(stripKoreanEnding(word), word)
  })
})

describe('queryTerms', () => {
  it('has no bigrams of Korean endings, which texts keep', () => {
    const analyzer = createAnalyzer()
    assert.deepEqual(analyzer.queryTerms('도서관에서 설치합니다', ['ko']).terms, ['도서', '서관', '설치'])
    assert.deepEqual(analyzer.terms('도서관에서', 'ko'), ['도서', '서관', '관에', '에서'])
  })
})
