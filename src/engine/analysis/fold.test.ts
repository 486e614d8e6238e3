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

  it('keeps marks of other scripts, also next to words with accents', () => {
    for (const text of ['ท่าเรือ', 'किताबें', 'がぎぐ', 'район']) {
      assert.equal(fold(text), text)
      assert.equal(fold(`${text} café ${text}`), `${text} cafe ${text}`)
    }
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => assert.equal(fold(fold(text)), fold(text))),
    )
  })
})

describe('plain', () => {
  it('removes white space, also from compatibility forms', () => {
    assert.doesNotMatch(normalizeWord('\ufdfa'), /\s/)
  })
})

describe('normalizeForMatch', () => {
  it('puts one space around each word', () => {
    assert.equal(normalizeForMatch('“The Café’s”\n—  P1!'), ' the cafe s p1 ')
  })

  it('begins and ends with a space, without double spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        assert.match(`${normalizeForMatch(text)}x`, /^ (?:\S+ )*x$/u)
      }),
    )
  })
})
