import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSimilarWordsTest } from './similar-words.ts'

test('a mistyped word and a part of a word are found, another word is not', () => {
  const text = 'The deposit is returned. Rosen werden im März geschnitten. Договор истекает.'
  for (const typed of [
    'depsoit',
    'deposti',
    'depozit',
    'Rsoen',
    'retruend',
    'догвоор',
    'geschniten',
    'договорились',
    'turned',
  ])
    assert.equal(createSimilarWordsTest([typed])(text), true, typed)
  for (const other of ['deport', 'vertrug', 'Hosen', 'Rosin', 'reposit', 'Rose2', 'rent', 'говорить', '押金', 'the'])
    assert.equal(createSimilarWordsTest([other])(text), false, other)
  assert.equal(createSimilarWordsTest([])(text), false)
})
