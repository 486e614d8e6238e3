import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutAsking } from './question-words.ts'
import { splitWords } from './split-words.ts'

const left = (query: string) => withoutAsking(splitWords(query)).map(({ text, start }) => [text, start])

describe('withoutAsking', () => {
  it('cuts what only asks out of what is written without spaces, and keeps the places of the rest', () => {
    assert.deepEqual(left('港口有多少船？'), [
      ['港口有', 0],
      ['船', 5],
    ])
    assert.deepEqual(left('港口在哪里'), [['港口在', 0]])
    assert.deepEqual(left('港はどこですか'), [['港は', 0]])
  })

  it('leaves other words as they are, and a query that does nothing but ask', () => {
    assert.deepEqual(left('who asks 哪吒'), [
      ['who', 0],
      ['asks', 4],
      ['哪吒', 9],
    ])
    assert.deepEqual(left('为什么'), [['为什么', 0]])
  })
})
