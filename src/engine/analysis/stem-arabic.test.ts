import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stemArabic } from './stem-arabic.ts'

describe('stemArabic', () => {
  const cases: [guarantee: string, words: string[], stem: string][] = [
    [
      'takes the article off, with what is written in one with it',
      ['السياره', 'بالسياره', 'والسيارات', 'للسيارات'],
      'سيار',
    ],
    ['takes "and" off a word of four letters and more', ['وقال', 'قال'], 'قال'],
    ['leaves a first letter that only looks like "and" in a short word', ['ولد'], 'ولد'],
    ['leaves two letters in any case', ['الي'], 'ال'],
    ['brings endings of number and belonging together', ['كتابها', 'كتابه', 'كتابي', 'كتاب'], 'كتاب'],
  ]
  for (const [guarantee, words, stem] of cases) {
    it(guarantee, () => {
      for (const word of words) assert.equal(stemArabic(word), stem, word)
    })
  }
})
