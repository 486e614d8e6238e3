import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWordReader } from '../label-words.ts'
import { splitClauses } from './clauses.ts'

const split = (text: string) =>
  splitClauses(text, createWordReader(['de'])).map(({ start, end, isForm }) => [text.slice(start, end), isForm])

test('keeps German dates and accented abbreviations within a sentence', () => {
  assert.deepEqual(split('Protokoll der Sitzung vom 23. April 2026. Am 4. Mai ist Ruhe.'), [
    ['Protokoll der Sitzung vom 23. April 2026. ', false],
    ['Am 4. Mai ist Ruhe.', false],
  ])
  assert.equal(split('Les animaux sont autorisés. La cave est vide.').length, 2)
})

test('splits sentences after a label, but not cells or labelled parts', () => {
  assert.deepEqual(split('Empfehlung: Ruhe halten. Wiedervorstellung in 6 Wochen.'), [
    ['Empfehlung: Ruhe halten. ', true],
    ['Wiedervorstellung in 6 Wochen.', false],
  ])
  assert.equal(split('Rat: Ruhe halten. Dauer: 6 Wochen.').length, 1)
  assert.equal(split('Rat: Ruhe halten. Tee     6 Wochen').length, 1)
})

test('splits lines of labels and sentences in linear time', () => {
  for (const part of ['a: abc. A', 'abc. A', 'a: ', '. ', ' ', '23. '])
    assert.ok(split(`Label: ${part.repeat(30_000)}`).length > 0, part)
})
