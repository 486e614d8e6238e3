import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBertEncoder } from './open-onnx-model.ts'

const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'ripe', 'apple', '##s', 'pear', '.']

describe('createBertEncoder', () => {
  const encoder = createBertEncoder({ vocabulary: VOCABULARY, maxTokens: 8 })

  it('adds the special tokens and pads shorter texts', () =>
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

  it('encodes unknown words as the unknown token', () =>
    assert.deepEqual(encoder.encode(['plum pear']).ids, [[2, 1, 7, 3]]))

  it('truncates to the token limit of the model', () =>
    assert.deepEqual(encoder.encode(['ripe '.repeat(50)]).ids, [[2, 4, 4, 4, 4, 4, 4, 3]]))

  it('marks the second text of a pair and truncates it', () => {
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

  it('rejects a vocabulary of another kind', () =>
    assert.throws(() => createBertEncoder({ vocabulary: ['<s>', '</s>'], maxTokens: 8 }), /no \[CLS\]/))
})
