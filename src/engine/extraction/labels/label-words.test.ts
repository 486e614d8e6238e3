import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWordReader } from './label-words.ts'

test('signs for numbers and words with capitals inside take time linear in their number', () => {
  const words = createWordReader(['de'])
  for (const word of ['# a ', 'MwSt ']) assert.ok(words.read(word.repeat(50_000)).length >= 50_000, word)
})
