import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgePassages } from './judge-passages.ts'

const at = (document: string, start: number, end: number) => ({ document, start, end })

describe('judgePassages', () => {
  it('counts an answer where it is whole', () => {
    const { withinHits } = judgePassages([at('b', 0, 900), at('a', 0, 500), at('a', 500, 1000)], at('a', 450, 550))
    assert.deepEqual(withinHits, { 1: false, 3: true, 5: true })
    assert.equal(judgePassages([at('a', 0, 500)], at('a', 450, 550)).withinHits[5], false)
    assert.equal(judgePassages([at('b', 0, 500)], at('a', 10, 20)).withinHits[5], false)
  })

  it('counts characters over all hits, and cuts the last one', () => {
    const hits = [at('b', 0, 2000), at('a', 0, 1000)]
    assert.deepEqual(judgePassages(hits, at('a', 300, 400)).withinCharacters, { 2400: true, 5000: true })
    assert.deepEqual(judgePassages(hits, at('a', 300, 401)).withinCharacters, { 2400: false, 5000: true })
  })
})
