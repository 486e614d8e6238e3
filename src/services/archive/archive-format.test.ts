import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EntryKind, entryName, parseEntryName } from './archive-format.ts'

test('the name of an entry says what it is, and nothing else is a name', () => {
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
