import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stemHebrew } from './stem-hebrew.ts'

describe('stemHebrew', () => {
  it('takes off what is written onto the beginning of a word: and, in, to, from, that, as, the', () => {
    for (const word of ['ספרייה', 'הספרייה', 'בספרייה', 'לספרייה', 'מהספרייה', 'והספרייה', 'ובספרייה'])
      assert.equal(stemHebrew(word), 'ספרייה')
  })

  it('leaves three letters of a word', () => {
    for (const word of ['בית', 'הר', 'שלט', 'ומן']) assert.equal(stemHebrew(word), word)
    assert.equal(stemHebrew('הבית'), 'בית')
  })
})
