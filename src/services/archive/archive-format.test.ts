import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EntryKind, entryName, parseEntryName, splitParts } from './archive-format.ts'

test('entry names are parsed, and all other names are rejected', () => {
  const kinds: EntryKind[] = ['documents', 'texts', 'originals', 'chunks', 'vectors', 'windows']
  for (const kind of kinds) assert.deepEqual(parseEntryName(entryName(kind, 42)), { kind, number: 42 })
  const others = [
    '',
    'originals/42',
    'originals/00000042.txt',
    'texts/00000042',
    'texts/00000042.txt/',
    './texts/00000042.txt',
    '/texts/00000042.txt',
    'texts/../00000042.txt',
    'other/00000042.txt',
    'texts/00000042.txt\n',
  ]
  for (const name of others) assert.equal(parseEntryName(name), null, name)
})

const split = (sizes: readonly number[]) => [...splitParts(sizes, (bytes) => bytes, { items: 3, bytes: 10 })]

test('a part ends at the item limit or the byte limit, and no item is lost', () => {
  assert.deepEqual(split([]), [])
  assert.deepEqual(split([1, 1, 1, 1]), [[1, 1, 1], [1]])
  assert.deepEqual(split([5, 5, 1]), [[5, 5], [1]])
})

test('an item that exceeds the limit is a separate part', () => {
  assert.deepEqual(split([1, 11, 1]), [[1], [11], [1]])
  assert.deepEqual(split([11, 11]), [[11], [11]])
})
