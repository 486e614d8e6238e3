import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Warning } from '../api/values.ts'
import { LISTED_BYTES } from '../limits.ts'
import { takeFitting } from './answer-room.ts'
import { limitWarnings } from './warning.ts'

test('items are taken while they have room as they are sent, in bytes', () => {
  const item = { text: '€'.repeat(LISTED_BYTES / 12) }
  assert.equal(takeFitting(Array<typeof item>(10).fill(item)).length, 3)
  assert.equal(takeFitting([]).length, 0)
})

test('the first item is taken however large it is, so that a page always goes on', () => {
  assert.equal(takeFitting(['x'.repeat(2 * LISTED_BYTES), 'y']).length, 1)
})

test('of many warnings the first are told, and how many more there are', () => {
  const warnings = Array.from({ length: 80 }, (_, at): Warning => ({ code: `c${at}`, message: 'm', param: null }))
  const limited = limitWarnings(warnings)
  assert.deepEqual(limited.slice(0, 50), warnings.slice(0, 50))
  assert.match(limited[50]?.message ?? '', /: 30\.$/)
  assert.equal(limited.length, 51)
  assert.deepEqual(limitWarnings(warnings.slice(0, 50)), warnings.slice(0, 50))
})
