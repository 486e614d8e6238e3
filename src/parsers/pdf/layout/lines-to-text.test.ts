import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesToText } from './lines-to-text.ts'

const toLine = (text: string) => ({ text, left: 50, right: 250, baseline: 700, size: 10, isBold: false })

function join(texts: readonly string[], compounds: readonly string[] = []): string {
  return linesToText(texts.map(toLine), 250, new Set(compounds))
}

test('a hyphenated word is joined unless the hyphen belongs to the word', () => {
  assert.equal(
    join(['the upper sta-', 'tion of a well-', 'known maker'], ['well-known']),
    'the upper station of a well-known maker',
  )
  assert.equal(join(['see https://example.com/sta-', 'tion']), 'see https://example.com/sta-tion')
  const address = `https://example.com/${'a'.repeat(150)}/sta-`
  assert.equal(join([address, 'tion']), `${address}tion`)
})

test('rows of a sequence keep their line ends', () => {
  const rows = ['  1 acgtac gtacgt ttacga gattac', ' 25 ttgaca gattac acgtac gtacgt', ' 49 acgt'].map((row) =>
    row.trim(),
  )
  assert.equal(join(rows), rows.join('\n'))
})

test('joining takes time linear in the number of lines', () => {
  const started = performance.now()
  assert.equal(join(Array.from({ length: 200_000 }, () => 'word-')).length, 4 * 200_000 + 1)
  assert.ok(performance.now() - started < 5000, 'this one took minutes')
})
