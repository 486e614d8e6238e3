import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSegmentTable } from './term-reader.ts'

describe('a segment table', () => {
  const counted = () => {
    const asked: string[] = []
    const table = createSegmentTable((segment) => asked.push(segment) && segment.toUpperCase())
    return { asked, find: (text: string, start = 0, end = text.length) => table.find(text, start, end) }
  }

  it('computes a segment once, wherever it occurs', () => {
    const { asked, find } = counted()
    assert.equal(find('a cat sat', 2, 5), 'CAT')
    assert.equal(find('cat'), 'CAT')
    assert.deepEqual(asked, ['cat'])
  })

  it('distinguishes segments by case, length and non-ASCII characters', () => {
    const { find } = counted()
    for (const piece of ['cat', 'Cat', 'cats', 'ca', 'кот', '貓', '']) assert.equal(find(piece), piece.toUpperCase())
    for (const piece of ['', '貓', 'кот', 'ca', 'cats', 'Cat', 'cat']) assert.equal(find(piece), piece.toUpperCase())
  })

  it('computes long segments each time', () => {
    const { asked, find } = counted()
    for (let time = 0; time < 2; time++) find('x'.repeat(41))
    assert.equal(asked.length, 2)
  })

  it('stays correct beyond its capacity', () => {
    const { find } = counted()
    for (let number = 0; number < 120_000; number++) {
      if (find(`w${number}`) !== `W${number}`) assert.fail(`w${number} was taken for another`)
    }
    assert.equal(find('w1'), 'W1')
  })
})
