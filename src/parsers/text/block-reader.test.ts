import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, findCutPosition } from './block-reader.ts'

test('cuts after white space near the end', () => {
  assert.equal(findCutPosition('aaaa bbbb cccc', 10), 10)
  assert.equal(findCutPosition('aaaa bbbbcccc dddd', 15), 14)
})

test('never splits a surrogate pair, a letter and its mark, or joined emoji', () => {
  assert.equal(findCutPosition('😀'.repeat(10), 9), 8)
  assert.equal(findCutPosition(`${'a'.repeat(9)}e\u0301bbbb`, 10), 9)
  assert.equal(findCutPosition(`${'a'.repeat(30)}👩\u200d👧bb`, 34), 30)
})

test('returns the text in pieces', () => {
  const text = 'some words 😀 and more '.repeat(50)
  const pieces = [...cutText(text, 40)]
  assert.equal(pieces.join(''), text)
  assert.ok(pieces.every((piece) => piece.length <= 40 && piece.isWellFormed()))
})
