import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCopyKey } from './copy-key.ts'

test('texts that differ in a number, sign, unit, word or question mark have different keys', () => {
  const texts = [
    'It is 1.5 %.',
    'It is 15 %.',
    'It is 1,5 %.',
    'It is 1.5 ‰.',
    'It is $1.5.',
    'It is -1.5 %.',
    'Is it 1.5 %?',
  ]
  assert.equal(new Set(texts.map(toCopyKey)).size, texts.length)
  assert.equal(toCopyKey('**Öffnung** – 9 Uhr\n'), toCopyKey('öffnung: 9 Uhr.'))
  assert.notEqual(toCopyKey('集合场所是3号楼。'), toCopyKey('集合场所是4号楼。'))
})
