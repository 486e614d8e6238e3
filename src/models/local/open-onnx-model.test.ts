import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBertEncoder } from './open-onnx-model.ts'

const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'ripe', 'apple', '##s', 'pear', '.']

describe('createBertEncoder', () => {
  const encoder = createBertEncoder({ vocabulary: VOCABULARY, maxTokens: 8 })

  it('frames a text and pads the shorter ones', () =>
    assert.deepEqual(encoder.encode(['Ripe apples.', 'pear']), {
      ids: [
        [2, 4, 5, 6, 8, 3],
        [2, 7, 3, 0, 0, 0],
      ],
      types: [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
      ],
      masks: [
        [1, 1, 1, 1, 1, 1],
        [1, 1, 1, 0, 0, 0],
      ],
    }))

  it('keeps a mark for a word that it does not know', () =>
    assert.deepEqual(encoder.encode(['plum pear']).ids, [[2, 1, 7, 3]]))

  it('cuts at the most tokens that the model takes', () =>
    assert.deepEqual(encoder.encode(['ripe '.repeat(50)]).ids, [[2, 4, 4, 4, 4, 4, 4, 3]]))

  it('tells the second of a pair from the first, and cuts it', () => {
    const { ids, types } = encoder.encodePairs('apple', ['pear', 'ripe ripe ripe ripe ripe ripe'])
    assert.deepEqual(ids, [
      [2, 5, 3, 7, 3, 0, 0, 0],
      [2, 5, 3, 4, 4, 4, 4, 3],
    ])
    assert.deepEqual(types, [
      [0, 0, 0, 1, 1, 0, 0, 0],
      [0, 0, 0, 1, 1, 1, 1, 1],
    ])
  })

  it('refuses a vocabulary of another kind', () =>
    assert.throws(() => createBertEncoder({ vocabulary: ['<s>', '</s>'], maxTokens: 8 }), /no \[CLS\]/))
})
