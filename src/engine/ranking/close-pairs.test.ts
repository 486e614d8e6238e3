import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFourGrams } from './four-grams.ts'

/** How often the pairs, of the words of a query that stand beside each other, stand close together in a text. */
function countPairs(query: string, text: string): number[] {
  const words = query.split(' ')
  const pairs = words.slice(1).map((_, place) => [place, place + 1] as const)
  return [...createFourGrams(words, pairs).count(text).pairs]
}

describe('close pairs', () => {
  it('are counted in a text, in their order, however the words end', () => {
    assert.deepEqual(
      countPairs('boundary layer', 'Boundary layers. The boundary-layer, and a layer of boundaries.'),
      [2],
    )
    assert.deepEqual(countPairs('fast boundary layer', 'a boundary layer'), [0, 1])
  })

  it('may have one other word between them', () => {
    assert.deepEqual(countPairs('cost living', 'the cost of living'), [1])
    assert.deepEqual(countPairs('cost living', 'the cost of their living'), [0])
  })

  it('go by whole words where these are short, and leave single characters out', () => {
    assert.deepEqual(countPairs('old man', 'an old man; an old mantle'), [1])
    assert.deepEqual(countPairs('ab map', 'AB map, cab map, abc map'), [1])
    assert.deepEqual(countPairs('plan b', 'plan b'), [0])
  })

  it('are none in a text that begins or ends with half of one, and of two words that begin alike', () => {
    assert.deepEqual(countPairs('boundary layer', 'layer of the boundary'), [0])
    assert.deepEqual(countPairs('compute computer', 'compute computer'), [0])
  })

  it('are found in any script that has words', () => {
    assert.deepEqual(countPairs('теория чисел', 'в теории чисел'), [1])
    assert.deepEqual(countPairs('größe haus', 'Die Größe des Hauses'), [1])
  })
})
