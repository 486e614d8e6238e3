import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pairWords } from './pair-words.ts'
import { splitWords } from './split-words.ts'

function pairsOf(query: string, dropped: readonly string[] = []): string[] {
  const words = splitWords(query)
  const kept = words.filter(({ text }) => !dropped.includes(text))
  return pairWords(words, kept).map((pair) => pair.join(' '))
}

describe('pairWords', () => {
  it('gives neighbours in order, each pair once, as words compare', () => {
    assert.deepEqual(pairsOf('Crème brûlée, crème brûlée'), ['creme brulee', 'brulee creme'])
  })

  it('passes over two words that are not kept, and no more', () => {
    assert.deepEqual(pairsOf('flow over a wing', ['over', 'a']), ['flow wing'])
    assert.deepEqual(pairsOf('flow that is over a wing', ['that', 'is', 'over', 'a']), [])
  })

  it('has none of a single word, and none of scripts without spaces', () => {
    assert.deepEqual(pairsOf('wing'), [])
    assert.deepEqual(pairsOf('東京 大阪'), [])
  })
})
