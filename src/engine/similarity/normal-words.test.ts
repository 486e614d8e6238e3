import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createNormalWords } from './normal-words.ts'

/** The words as text, and how many hashes came with them. */
function read(pieces: readonly string[]): { text: string; hashes: number[] } {
  const texts: string[] = []
  const hashes: number[] = []
  const words = createNormalWords({
    text: (some) => void texts.push(typeof some === 'string' ? some : Buffer.from(some).toString()),
    word: (hash) => void hashes.push(hash),
  })
  for (const piece of pieces) words.add(piece)
  words.finish()
  return { text: texts.join(''), hashes }
}

/** Reference implementation of words, for scripts with spaces. */
function wordsOf(text: string): string[] {
  const runs = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gv)].map(([run]) => run)
  const cut = runs.flatMap((run) => run.match(/.{1,64}/gs) ?? [])
  return cut.map((run) =>
    run
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gv, ''),
  )
}

const piece = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
  fc.constantFrom(
    ' ',
    '’',
    'é',
    'Привет',
    'naïve',
    'ﬁ',
    '½',
    '\u0301',
    'x'.repeat(63),
    'Y'.repeat(64),
    'z'.repeat(200),
  ),
)

test('ASCII and other words equal those of a simple reader, one hash each', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const words = wordsOf(pieces.join(''))
      const found = read(pieces)
      assert.equal(found.text, words.map((word) => `${word} `).join(''))
      assert.equal(found.hashes.length, words.length)
    }),
    { numRuns: 1000 },
  )
})

test('the hash of a word is independent of adjacent characters', () => {
  const [alone] = read(['Quick ']).hashes
  assert.equal(read(['é quick']).hashes[1], alone)
})

test('more words than the buffer holds arrive in order', () => {
  const words = Array.from({ length: 3000 }, (_, index) => `w${index}`)
  assert.equal(read([words.join(' ')]).text, `${words.join(' ')} `)
})
