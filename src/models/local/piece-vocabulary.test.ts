import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPieceFinder, planVocabulary, writeVocabulary } from './piece-vocabulary.ts'
import { allocateTable } from './static-table.ts'

function finderOf(pieces: readonly string[]) {
  const text = pieces.map((piece) => `${piece}\n`).join('')
  const places = planVocabulary({ text, rows: pieces.length }, 8)
  const filler = allocateTable(places.end)
  writeVocabulary(filler, places, text)
  return createPieceFinder(filler.memory, places)
}

const find = finderOf(['play', 'player', '##s', '##ing', '#', '##', '北京', '北', '京都', '都', '𠀀'])

test('takes the longest piece from the left, then continuation pieces', () => {
  assert.deepEqual(find('players'), [1, 2])
  assert.deepEqual(find('playing'), [0, 3])
  assert.deepEqual(find('#'), [4])
})

test('a word that pieces cannot cover has none', () => {
  assert.deepEqual(find('playful'), [])
  assert.deepEqual(find('ing'), [])
})

test('a word of more than 100 characters has no pieces', () => {
  assert.equal(find(`play${'s'.repeat(96)}`).length, 97)
  assert.deepEqual(find(`play${'s'.repeat(97)}`), [])
})

test('a script without spaces has no continuation pieces, and unknown characters are skipped', () => {
  assert.deepEqual(find('北京都'), [6, 9])
  assert.deepEqual(find('北山𠀁京都𠀀'), [7, 8, 10])
  assert.equal(find('北京'.repeat(60)).length, 60)
})

test('a piece has at most 24 characters', () => {
  const long = 'a'.repeat(25)
  assert.deepEqual(finderOf([long, 'a', '##a'])(long), [1, ...Array(24).fill(2)])
})

test('every piece of a large vocabulary is found, and only at its own letters', () => {
  const pieces = Array.from({ length: 20_000 }, (_, row) => `w${row.toString(36)}`)
  const findLarge = finderOf(pieces)
  for (const [row, piece] of pieces.entries()) assert.deepEqual(findLarge(piece), [row])
  assert.deepEqual(findLarge('x1'), [])
})
