import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listEnglishSpellings } from './english-spellings.ts'

describe('listEnglishSpellings', () => {
  const cases: [british: string, american: string][] = [
    ['haemoglobin', 'hemoglobin'],
    ['leukaemia', 'leukemia'],
    ['diarrhoea', 'diarrhea'],
    ['oestrogen', 'estrogen'],
    ['behavioural', 'behavioral'],
    ['fibre', 'fiber'],
    ['catalogue', 'catalog'],
    ['programme', 'program'],
    ['organisations', 'organizations'],
    ['organisational', 'organizational'],
    ['anaesthetised', 'anesthetized'],
    ['leucaemia', 'leukemia'],
    ['analysed', 'analyzed'],
  ]
  for (const [british, american] of cases) {
    it(`give ${american} for ${british}, and the other way round`, () => {
      assert.ok(listEnglishSpellings(british).includes(american))
      assert.ok(listEnglishSpellings(american).includes(british))
    })
  }

  const bases: [word: string, other: string][] = [
    ['centred', 'center'],
    ['centring', 'center'],
    ['centering', 'centre'],
    ['kilometres', 'kilometer'],
    ['programmed', 'programme'],
    ['programmes', 'program'],
    ['cataloguing', 'catalog'],
    ['cataloging', 'catalogue'],
  ]
  for (const [word, other] of bases) {
    it(`give ${other} for ${word}, which has the term of all its forms`, () => {
      assert.deepEqual(listEnglishSpellings(word), [other])
    })
  }

  it('are empty for words with one spelling', () => {
    for (const word of ['raise', 'noise', 'poet', 'library', 'question', 'central', 'metric', 'catalytic', 'grammar'])
      assert.deepEqual(listEnglishSpellings(word), [])
  })
})
