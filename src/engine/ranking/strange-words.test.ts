import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFourGrams } from './four-grams.ts'
import { scoreStrangeWords } from './strange-words.ts'

function scoresOf(words: readonly string[], texts: readonly string[]): number[] {
  const grams = createFourGrams(words)
  return scoreStrangeWords(
    texts.map((text) => grams.count(text)),
    grams.words,
  )
}

describe('scoreStrangeWords', () => {
  it('finds the word that was meant by a mistaken one', () => {
    const [meant = 0, other] = scoresOf(['parcetamol'], ['Paracetamol helps.', 'Parcels come at noon.'])
    assert.ok(meant > 0.6)
    assert.equal(other, 0)
  })

  it('finds a word by its beginning', () => {
    const [found = 0, other] = scoresOf(['semperv'], ['Sempervivum on the roof', 'simply everywhere'])
    assert.ok(found > 0.7)
    assert.equal(other, 0)
  })

  it('says nothing of words that stand in any of the texts as they were typed', () => {
    assert.deepEqual(scoresOf(['acid', 'acids'], ['an acid', 'two acids']), [0, 0])
  })

  it('gives a text the share of the strange words that it nearly has', () => {
    const [both = 0, one = 0] = scoresOf(['hydrocloric', 'parcetamol'], ['hydrochloric paracetamol', 'hydrochloric'])
    assert.ok(both > one && one > 0.3 && one < 0.4)
  })

  it('says nothing where there are no words and no texts', () => {
    assert.deepEqual(scoresOf([], ['a']), [0])
    assert.deepEqual(scoresOf(['word'], []), [])
  })
})
