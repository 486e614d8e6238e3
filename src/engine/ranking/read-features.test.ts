import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { type Feature, readFeatures } from './read-features.ts'

const analyzer = createAnalyzer()

function readRuns(texts: readonly string[], query: string, language: string): Feature | undefined {
  const candidates = texts.map((text) => ({ text, titleTerms: [], title: 0 }))
  return readFeatures(candidates, analyzer.queryTerms(query, [language])).find(({ name }) => name === 'runs')
}

function phraseShares(texts: readonly string[], query: string): readonly number[] {
  const candidates = texts.map((text) => ({ text, titleTerms: [], title: 0 }))
  const features = readFeatures(candidates, analyzer.queryTerms(query, ['en']))
  return features.find(({ name }) => name === 'phrase')?.shares ?? []
}

describe('a phrase in quotation marks', () => {
  it('counts if it matches whole words', () => {
    assert.deepEqual(phraseShares(['error 40: retry', 'error 404: not found', 'terror 40'], '"error 40"'), [1, 0, 0])
    assert.deepEqual(phraseShares(['the party', 'the art, then'], '"art"'), [0, 1])
  })

  it('counts anywhere in scripts without spaces', () => {
    assert.deepEqual(phraseShares(['来年の東京都の予算', '京都の予算'], '「東京都」'), [1, 0])
  })
})

describe('four-grams of the query', () => {
  it('of Korean words are bigrams only, independent of particles', () => {
    const runs = readRuns(['컴퓨터에서 notebook', '컴퓨 퓨터 터에 에서 pc', '키보드'], '컴퓨터에서', 'ko')
    assert.deepEqual(runs?.shares, [1, 1, 0])
  })

  it('count more for words in several sentences of the query', () => {
    const texts = ['Drachen fliegen', 'Segel setzen', 'Boote']
    const runs = readRuns(texts, 'Segel und Drachen. Wer baut Drachen?', 'de')
    assert.deepEqual(
      runs?.shares.map((share) => share > 0.6),
      [true, false, false],
    )
    const once = readRuns(texts, 'Segel und Drachen: wer baut?', 'de')
    assert.ok((once?.shares[1] ?? 0) > 0.6)
  })

  it('match names of another alphabet by their sounds, for foreign questions only', () => {
    const candidates = ['The lamp of Tesla', 'The lamp of Volta'].map((text) => ({ text, titleTerms: [], title: 0 }))
    const asked = analyzer.queryTerms('Кто такой Тесла?', ['ru', 'en'])
    const shares = (isForeign: boolean) =>
      readFeatures(candidates, { ...asked, isForeign }).find(({ name }) => name === 'runs')?.shares
    assert.deepEqual(shares(true), [1, 0])
    assert.deepEqual(shares(false), [0, 0])
  })

  it('weigh little in languages without inflection', () => {
    assert.deepEqual(
      ['en', 'vi', 'tr'].map((language) => readRuns(['a'], 'a', language)?.weight),
      [0.15, 0.15, 1],
    )
  })
})
