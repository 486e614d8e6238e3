import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { splitIntoBatches } from './text-batches.ts'

describe('splitIntoBatches', () => {
  it('keeps the order and counts texts', () =>
    assert.deepEqual(splitIntoBatches(['a', 'b', 'c', 'd', 'e'], { texts: 2, tokens: 100 }), [
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]))

  it('counts tokens, and leaves a text that is too large alone', () => {
    const large = 'x'.repeat(70)
    assert.deepEqual(splitIntoBatches(['a', large, 'b', 'c'], { texts: 9, tokens: 10 }), [['a'], [large], ['b', 'c']])
  })

  it('makes no batch of nothing', () => assert.deepEqual(splitIntoBatches([], { texts: 2, tokens: 9 }), []))
})
