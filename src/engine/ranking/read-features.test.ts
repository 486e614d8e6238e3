import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { readFeatures } from './read-features.ts'

const analyzer = createAnalyzer()

function phraseShares(texts: readonly string[], query: string): readonly number[] {
  const candidates = texts.map((text) => ({ text, titleTerms: [], title: 0 }))
  const features = readFeatures(candidates, analyzer.queryTerms(query, ['en']))
  return features.find(({ name }) => name === 'phrase')?.shares ?? []
}

describe('a phrase in quotation marks', () => {
  it('counts where it stands in whole words', () => {
    assert.deepEqual(phraseShares(['error 40: retry', 'error 404: not found', 'terror 40'], '"error 40"'), [1, 0, 0])
    assert.deepEqual(phraseShares(['the party', 'the art, then'], '"art"'), [0, 1])
  })

  it('counts anywhere in scripts without spaces', () => {
    assert.deepEqual(phraseShares(['来年の東京都の予算', '京都の予算'], '「東京都」'), [1, 0])
  })
})
