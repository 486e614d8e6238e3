import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWordTable, hashLetter, NO_LETTERS } from './word-table.ts'

describe('a word table', () => {
  const counted = () => {
    const asked: string[] = []
    const table = createWordTable((word) => {
      asked.push(word)
      return Array.from(word, (letter) => letter.charCodeAt(0))
    })
    const find = (text: string, start = 0, end = text.length) => {
      const found: number[] = []
      const codes = Array.from(text.slice(start, end), (letter) => letter.charCodeAt(0))
      table.find(text, start, end, codes.reduce(hashLetter, NO_LETTERS), (row) => void found.push(row))
      return String.fromCharCode(...found)
    }
    return { asked, find }
  }

  it('looks a word up once, wherever it stands and however its letters are written', () => {
    const { asked, find } = counted()
    assert.equal(find('a cat sat', 2, 5), 'cat')
    assert.equal(find('CAT'), 'cat')
    assert.deepEqual(asked, ['cat'])
  })

  it('tells words apart that begin or end alike, and remembers that one has no rows', () => {
    const { find } = counted()
    for (let time = 0; time < 2; time++)
      for (const word of ['cat', 'cats', 'ca', 'scat', '1', '11', '']) assert.equal(find(word), word)
  })

  it('looks long words up each time', () => {
    const { asked, find } = counted()
    for (let time = 0; time < 2; time++) assert.equal(find('x'.repeat(33)).length, 33)
    assert.equal(asked.length, 2)
  })

  it('stays right when there are more words than it remembers, or longer ones than it has room for', () => {
    const { find } = counted()
    for (let number = 0; number < 120_000; number++) {
      const word = `w${number}${'o'.repeat(number % 25)}`
      if (find(word) !== word) assert.fail(`${word} was taken for another`)
    }
    assert.equal(find('w1o'), 'w1o')
  })
})
