import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClaims } from './read-claims.ts'
import { resolveCitations } from './resolve-citations.ts'

function read(text: string): [string, number[]][] {
  const { answer, citations } = resolveCitations(text, 9)
  return readClaims(answer, citations).map(({ text: claim, sources }) => [claim, sources])
}

test('each sentence has its distinct cited sources', () => {
  assert.deepEqual(read('The gate opens at nine [1]. It closes at dusk [2][3], always [2]. Nobody knows why.'), [
    ['The gate opens at nine .', [1]],
    ['It closes at dusk , always .', [2, 3]],
    ['Nobody knows why.', []],
  ])
})

test('a mark after the full stop belongs to the sentence before', () => {
  assert.deepEqual(read('The gate opens at nine. [1] It closes at dusk. [2]'), [
    ['The gate opens at nine.', [1]],
    ['It closes at dusk.', [2]],
  ])
})

test('a mark at the start of a line belongs to that line', () => {
  assert.deepEqual(read('Hours:\n[1] The gate opens at nine.'), [
    ['Hours:', []],
    ['The gate opens at nine.', [1]],
  ])
})

test('list items are claims without the list mark', () => {
  assert.deepEqual(read('- Gate: nine [1]\n2. Lamp: red [2]'), [
    ['Gate: nine', [1]],
    ['Lamp: red', [2]],
  ])
})
