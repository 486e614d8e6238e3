import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cutFixed } from './cut-fixed.ts'

const TEXT = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')

describe('cutFixed', () => {
  it('returns slices up to the size without cutting or omitting words', () => {
    for (const overlap of [0, 40]) {
      const chunks = cutFixed(TEXT, { characters: 200, overlap })
      for (const { text, startOffset, endOffset } of chunks) {
        assert.equal(TEXT.slice(startOffset, endOffset), text)
        assert.ok(text.length <= 200)
        assert.match(text, /^word\d.*\d$/)
      }
      const words = new Set(chunks.flatMap(({ text }) => text.split(' ')))
      assert.equal(words.size, 300)
    }
  })

  it('starts each window at the end of the previous one, or earlier by the overlap', () => {
    const [first, second] = cutFixed(TEXT, { characters: 200, overlap: 0 })
    assert.equal(second?.startOffset, (first?.endOffset ?? 0) + 1)
    const [one, other] = cutFixed(TEXT, { characters: 200, overlap: 50 })
    const shared = (one?.endOffset ?? 0) - (other?.startOffset ?? 0)
    assert.ok(shared > 30 && shared <= 50, `${shared}`)
  })

  it('gives a short text as one, and nothing for white space', () => {
    assert.equal(cutFixed('short', { characters: 200, overlap: 50 }).length, 1)
    assert.deepEqual(cutFixed(' \n ', { characters: 200, overlap: 50 }), [])
  })
})
