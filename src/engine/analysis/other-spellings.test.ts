import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { otherSpellings } from './other-spellings.ts'

describe('otherSpellings', () => {
  const cases: [british: string, american: string][] = [
    ['haemoglobin', 'hemoglobin'],
    ['leukaemia', 'leukemia'],
    ['diarrhoea', 'diarrhea'],
    ['oestrogen', 'estrogen'],
    ['behavioural', 'behavioral'],
    ['fibres', 'fibers'],
    ['organisations', 'organizations'],
    ['analysed', 'analyzed'],
  ]
  for (const [british, american] of cases) {
    it(`give ${american} for ${british}, and the other way round`, () => {
      assert.ok(otherSpellings(british).includes(american))
      assert.ok(otherSpellings(american).includes(british))
    })
  }

  it('are none for words that are spelled in one way', () => {
    for (const word of ['raise', 'noise', 'poet', 'library', 'question']) assert.deepEqual(otherSpellings(word), [])
  })
})
