import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitBertWords } from './bert-words.ts'

test('words are lower case without accents, and punctuation stands alone', () => {
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

test('controls and invisible characters part no word', () => {
  assert.deepEqual(splitBertWords('zero\u200bwidth soft\u00adhyphen nul\0l\n'), ['zerowidth', 'softhyphen', 'null'])
})

test('a capital sigma at the end of a word is no final one', () => {
  assert.deepEqual(splitBertWords('ΣΊΣΥΦΟΣ'), ['σισυφοσ'])
})
