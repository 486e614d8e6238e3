import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWordPieces, splitBertWords } from './word-pieces.ts'

const pieces = createWordPieces(['play', 'player', '##s', '##ing', '#', '##'])

test('takes the longest piece from the left, then continuation pieces', () => {
  assert.deepEqual(pieces.find('players'), [1, 2])
  assert.deepEqual(pieces.find('playing'), [0, 3])
  assert.deepEqual(pieces.find('#'), [4])
})

test('a word that pieces cannot cover has none', () => {
  assert.deepEqual(pieces.find('playful'), [])
  assert.deepEqual(pieces.find('ing'), [])
})

test('a word of more than 100 characters has no pieces', () => {
  assert.deepEqual(pieces.find(`play${'s'.repeat(96)}`).length, 97)
  assert.deepEqual(pieces.find(`play${'s'.repeat(97)}`), [])
})

test('words are lower-cased without accents, and punctuation is separate', () => {
  assert.deepEqual(splitBertWords('Don’t stop, Ångström-Café!'), [
    'don',
    '’',
    't',
    'stop',
    ',',
    'angstrom',
    '-',
    'cafe',
    '!',
  ])
})

test('each Han character is a word', () => {
  assert.deepEqual(splitBertWords('北京2008'), ['北', '京', '2008'])
})

test('control and invisible characters do not split words', () => {
  assert.deepEqual(splitBertWords('zero\u200bwidth soft\u00adhyphen nul\0l\n'), ['zerowidth', 'softhyphen', 'null'])
})

test('a capital sigma at the end of a word becomes a normal sigma', () => {
  assert.deepEqual(splitBertWords('ΣΊΣΥΦΟΣ'), ['σισυφοσ'])
})
