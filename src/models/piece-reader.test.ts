import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitBertWords } from './bert-words.ts'
import { createPieceReader } from './piece-reader.ts'
import { createWordPieces } from './word-pieces.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789@`[{\\|]}^~_!?.,:;\'"éα北', '’', '\u0301']
const pieces = createWordPieces([...letters, ...letters.map((letter) => `##${letter}`)])
const read = createPieceReader(pieces)

function rowsOf(text: string): number[] {
  const rows: number[] = []
  read(text, (row) => void rows.push(row))
  return rows
}

test('the pieces of a text are those of its words, whatever characters it has', () => {
  const character = fc.oneof(
    fc.constantFrom(...letters, ...'ABCXYZ \t\n\r\0\u000b\u007f', '\u00a0', '\u200b', 'Å', 'Σ', '\ud83d', '👍'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 40 }), (characters) => {
      const text = characters.join('')
      assert.deepEqual(
        rowsOf(text),
        splitBertWords(text).flatMap((word) => [...pieces.find(word)]),
      )
    }),
    { numRuns: 2000 },
  )
})

test('marks that differ from others by the bit of small letters keep their own pieces', () => {
  assert.deepEqual(rowsOf('[{'), [...pieces.find('['), ...pieces.find('{')])
})

test('words stay known when more came than are remembered', () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' ')
  assert.equal(rowsOf(many).length, many.replaceAll(' ', '').length)
  assert.deepEqual(rowsOf('abc'), [...pieces.find('abc')])
})
