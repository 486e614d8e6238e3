import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fold, normalizeForMatch, normalizeWord } from './fold.ts'

describe('fold', () => {
  const cases: [string, string][] = [
    ['éàüñçő', 'eaunco'],
    ['straße', 'strasse'],
    ['łódź', 'lodz'],
    ['άλφας', 'αλφασ'],
    ['ёлка й', 'елка й'],
    ['ガ', 'ガ'],
    ['किताब', 'किताब'],
    ['अंग्रेज़ी हिन्दी पाँच', 'अंग्रेजी हिंदी पांच'],
    ['जन्म', 'जन्म'],
    ['ภาษา', 'ภาษา'],
    ['۱۲३', '123'],
  ]
  for (const [from, to] of cases) it(`makes ${to} of ${from}`, () => assert.equal(fold(from), to))

  it('leaves the marks of other scripts alone, also beside words with accents', () => {
    for (const text of ['ท่าเรือ', 'किताबें', 'がぎぐ', 'район']) {
      assert.equal(fold(text), text)
      assert.equal(fold(`${text} café ${text}`), `${text} cafe ${text}`)
    }
  })

  it('changes nothing when it is done again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => assert.equal(fold(fold(text)), fold(text))),
    )
  })
})

describe('plain', () => {
  it('leaves no white space, even where a compatibility form holds some', () => {
    assert.doesNotMatch(normalizeWord('\ufdfa'), /\s/)
  })
})

describe('matchable', () => {
  it('writes words with one space around each', () => {
    assert.equal(normalizeForMatch('“The Café’s”\n—  P1!'), ' the cafe s p1 ')
  })

  it('begins and ends with a space, without two in a row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        assert.match(`${normalizeForMatch(text)}x`, /^ (?:\S+ )*x$/u)
      }),
    )
  })
})
