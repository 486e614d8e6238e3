import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { HITS } from '../../limits.ts'
import { warmUpSearch } from './warm-up-search.ts'

describe('warmUpSearch', () => {
  it('runs every part of a search: both retrievers, ranking, titles, highlighted snippets', () => {
    const hits = warmUpSearch(createAnalyzer())
    assert.equal(hits.length, HITS.default)
    assert.deepEqual(
      hits.map(({ score }) => score),
      hits.map(({ score }) => score).sort((a, b) => b - a),
    )
    assert.ok(hits.some(({ scores }) => scores.lexical !== null))
    assert.ok(hits.every(({ scores }) => scores.semantic !== null && scores.rerank !== null))
    assert.ok(hits.every(({ snippet }) => snippet.includes('<mark>')))
  })
})
