import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitTableWords } from './table-words.ts'

test('words are folded without accents, and punctuation and symbols are separate', () => {
  assert.deepEqual(splitTableWords('Don’t stop, Ångström-Café! 5€'), [
    ...['don', '’', 't', 'stop', ',', 'angstrom', '-', 'cafe', '!', '5', '€'],
  ])
})

test('a run of a script without spaces is one word', () => {
  assert.deepEqual(splitTableWords('北京2008年'), ['北京', '2008', '年'])
  assert.deepEqual(splitTableWords('日本語とEnglish'), ['日本語と', 'english'])
  assert.deepEqual(splitTableWords('เงินคืน 5 วัน'), ['เงินคืน', '5', 'วัน'])
})

test('points of Hebrew and Arabic are dropped, vowel signs of Indic scripts stay', () => {
  assert.deepEqual(splitTableWords('שָׁלוֹם كِتَابـ'), ['שלום', 'كتاب'])
  assert.deepEqual(splitTableWords('दिनों में'), ['दिनों', 'में'])
})

test('control and invisible characters do not split words', () => {
  assert.deepEqual(splitTableWords('zero\u200bwidth soft\u00adhyphen nul\0l\n'), ['zerowidth', 'softhyphen', 'null'])
})

test('forms for compatibility are those of plain text', () => {
  assert.deepEqual(splitTableWords('①ﬁne ＡＢＣ'), ['1fine', 'abc'])
})
