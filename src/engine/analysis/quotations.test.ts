import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOneQuotation, quotedPhrases } from './quotations.ts'

const SET = [
  '"a b"',
  '“a b”',
  '”a b”',
  '„a b“',
  '„a b”',
  '„a b"',
  '«a b»',
  '« a b »',
  '»a b«',
  '‹a b›',
  '「a b」',
  '『a b』',
  '＂a b＂',
]

for (const quotation of SET)
  test(`${quotation} is a phrase, alone or in a sentence`, () => {
    assert.deepEqual(quotedPhrases(`where is ${quotation} said?`), ['a b'])
    assert.equal(isOneQuotation(` ${quotation} `), true)
    assert.equal(isOneQuotation(`where is ${quotation}`), false)
    assert.equal(isOneQuotation(`${quotation} or ${quotation}`), false)
  })

test('phrases come in order, each in its own marks', () => {
  assert.deepEqual(quotedPhrases('“one two”, "three" und „vier fünf“ et «six»'), [
    'one two',
    'three',
    'vier fünf',
    'six',
  ])
})

test('a phrase that is said again is one, and of very many the first are taken', () => {
  assert.deepEqual(quotedPhrases('"a" "b" "a" '.repeat(2000)), ['a', 'b'])
  const many = Array.from({ length: 3000 }, (_, index) => `p${index}`)
  assert.deepEqual(quotedPhrases(`"${many.join('" "')}"`), many.slice(0, 64))
})

test('inches, a mark without its other and marks with nothing between are no phrases', () => {
  for (const query of ['a 19" or 21" monitor', 'a 19” or 21” monitor', 'he said "no', '" "', '""', '«»'])
    assert.deepEqual(quotedPhrases(query), [], query)
})

test('queries of nothing but marks take time linear in their length', () => {
  const many = 200_000
  for (const mark of '"“”„«»‹›「『＂') {
    assert.ok(quotedPhrases(`a${mark}`.repeat(many)).length <= many)
    assert.ok(quotedPhrases(mark.repeat(many)).length <= many)
  }
})
