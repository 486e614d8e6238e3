import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasInk } from './has-ink.ts'

test('white space, controls and what is not shown are nothing to see, whatever stands beside them is', () => {
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
    assert.equal(hasInk(blank), false, JSON.stringify(blank))
  for (const seen of ['a', '.', '\u200ba', '👍\ufe0f', '\ufffd', '\u0301', '中'])
    assert.equal(hasInk(seen), true, JSON.stringify(seen))
})
