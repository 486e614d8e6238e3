import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSegmentTable } from './term-reader.ts'

describe('a segment table', () => {
  const counted = () => {
    const asked: string[] = []
    const table = createSegmentTable((segment) => asked.push(segment) && segment.toUpperCase())
    return { asked, find: (text: string, start = 0, end = text.length) => table.find(text, start, end) }
  }

  it('works a piece out once, wherever it stands', () => {
    const { asked, find } = counted()
    assert.equal(find('a cat sat', 2, 5), 'CAT')
    assert.equal(find('cat'), 'CAT')
    assert.deepEqual(asked, ['cat'])
  })

  it('tells pieces apart that differ in case, in length or beyond ASCII', () => {
    const { find } = counted()
    for (const piece of ['cat', 'Cat', 'cats', 'ca', 'кот', '貓', '']) assert.equal(find(piece), piece.toUpperCase())
    for (const piece of ['', '貓', 'кот', 'ca', 'cats', 'Cat', 'cat']) assert.equal(find(piece), piece.toUpperCase())
  })

  it('works long pieces out each time', () => {
    const { asked, find } = counted()
    for (let time = 0; time < 2; time++) find('x'.repeat(41))
    assert.equal(asked.length, 2)
  })

  it('stays right when there are more pieces than it remembers', () => {
    const { find } = counted()
    for (let number = 0; number < 120_000; number++) {
      if (find(`w${number}`) !== `W${number}`) assert.fail(`w${number} was taken for another`)
    }
    assert.equal(find('w1'), 'W1')
  })
})
