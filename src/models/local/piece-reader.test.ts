import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { createPieceReader, createWordTable, hashLetter, NO_LETTERS } from './piece-reader.ts'
import { createPieceFinder, planVocabulary, writeVocabulary } from './piece-vocabulary.ts'
import { allocateTable } from './static-table.ts'
import { splitTableWords } from './table-words.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789@`[{\\|]}^~_!?.,:;\'"éα北', '’', '\u0301']
const vocabulary = [...letters, ...letters.map((letter) => `##${letter}`)]
const vocabularyText = vocabulary.map((piece) => `${piece}\n`).join('')
const places = planVocabulary({ text: vocabularyText, rows: vocabulary.length }, 0)
const filler = allocateTable(places.end)
writeVocabulary(filler, places, vocabularyText)
const findPieces = createPieceFinder(filler.memory, places)
const read = createPieceReader(findPieces)

function rowsOf(text: string): number[] {
  const rows: number[] = []
  read(text, (row) => void rows.push(row))
  return rows
}

test('the pieces of a text are those of its words, for any characters', () => {
  const character = fc.oneof(
    fc.constantFrom(...letters, ...'ABCXYZ \t\n\r\0\u000b\u007f', '\u00a0', '\u200b', 'Å', 'Σ', '\ud83d', '👍'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 40 }), (characters) => {
      const text = characters.join('')
      assert.deepEqual(
        rowsOf(text),
        splitTableWords(text).flatMap((word) => [...findPieces(word)]),
      )
    }),
    { numRuns: 2000 },
  )
})

test('characters that differ only in the bit of lower case keep their own pieces', () => {
  assert.deepEqual(rowsOf('[{'), [...findPieces('['), ...findPieces('{')])
})

test('words are still found after the cache has overflowed', () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' ')
  assert.equal(rowsOf(many).length, many.replaceAll(' ', '').length)
  assert.deepEqual(rowsOf('abc'), [...findPieces('abc')])
})

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
      const word = { start, end, hash: codes.reduce(hashLetter, NO_LETTERS) }
      table.find(text, word, (row) => void found.push(row))
      return String.fromCharCode(...found)
    }
    return { asked, find }
  }

  it('looks a word up once, at any position and in any case', () => {
    const { asked, find } = counted()
    assert.equal(find('a cat sat', 2, 5), 'cat')
    assert.equal(find('CAT'), 'cat')
    assert.deepEqual(asked, ['cat'])
  })

  it('distinguishes words with equal starts or ends, and caches words without rows', () => {
    const { find } = counted()
    for (let time = 0; time < 2; time++)
      for (const word of ['cat', 'cats', 'ca', 'scat', '1', '11', '']) assert.equal(find(word), word)
  })

  it('does not cache long words', () => {
    const { asked, find } = counted()
    for (let time = 0; time < 2; time++) assert.equal(find('x'.repeat(33)).length, 33)
    assert.equal(asked.length, 2)
  })

  it('stays correct with more or longer words than it can cache', () => {
    const { find } = counted()
    for (let number = 0; number < 120_000; number++) {
      const word = `w${number}${'o'.repeat(number % 25)}`
      if (find(word) !== word) assert.fail(`${word} was taken for another`)
    }
    assert.equal(find('w1o'), 'w1o')
  })
})
