import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasVisibleText, isLongerThan } from './characters.ts'

test('treats white space, control and invisible characters as not visible', () => {
  for (const blank of [
    '',
    ' \n\t\u00a0\u3000',
    '\u200b',
    '\u200b \u200d\ufeff\u2060',
    '\u00ad',
    '\u3164\uffa0',
    '\u2800',
    '\ufe0f',
    '\u{e0041}',
    '\u0007',
  ])
    assert.equal(hasVisibleText(blank), false, JSON.stringify(blank))
  for (const seen of ['a', '.', '\u200ba', '👍\ufe0f', '\ufffd', '\u0301', '中'])
    assert.equal(hasVisibleText(seen), true, JSON.stringify(seen))
})

test('counts a surrogate pair as one character', () => {
  assert.equal(isLongerThan('👍'.repeat(10), 10), false)
  assert.equal(isLongerThan('👍'.repeat(11), 10), true)
  assert.equal(isLongerThan(`${'👍'.repeat(9)}ab`, 10), true)
  assert.equal(isLongerThan('a'.repeat(10), 10), false)
  assert.equal(isLongerThan('a'.repeat(21), 10), true)
})
