import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGarbled } from './read-page.ts'

test('a page of dingbats is garbled, a page with check marks is not', () => {
  assert.equal(isGarbled('✧★✩ ✪✫✝✥ ✬✭✝✞ ✧✮✯ ✁✂✄ ✤✭✫ ✤✥✰ '.repeat(4), 0), true)
  assert.equal(isGarbled('Oil the pump ✓ ✓ ✗ ✓ ✓\nClean the lamp ✓ ✗ ✗ ✓ ✓\n'.repeat(6), 0), false)
})

test('pages of part numbers or sequences are not garbled', () => {
  const parts = Array.from({ length: 40 }, (_, row) => `QVDTR-${row + 10}\tKXZHRW${row}\tLWX${row}PT`).join('\n')
  assert.equal(isGarbled(parts, 0), false)
  const blocks = Array.from({ length: 30 }, (_, row) => `LFGVTLMSCW RDKQHPTNGS ${60 * row}`).join('\n')
  assert.equal(isGarbled(blocks, 0), false)
  assert.equal(isGarbled('TTGCA GGTTTCC CTGGCTT GCT CCGTTGG TGC CCTTG TTGGCCGT GTTCCGTA '.repeat(3), 0), false)
})

test('a page of words whose font maps letters to others is garbled', () => {
  const words = 'the ferry leaves the northern harbour at nine and the captain greets everyone aboard with coffee'
  const shifted = words.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 95) % 26) + 97))
  assert.equal(isGarbled(`${shifted} ${shifted}`, 0), true)
})

test('short texts of fonts without a character map are garbled', () => {
  assert.equal(isGarbled('\ue021\ue022\ue023 \ue024', 0), true)
  assert.equal(isGarbled('\ufffd\ufffd\ufffd', 0), true)
  assert.equal(isGarbled('!"#$%&\'()*+,-./0123', 0), true)
  assert.equal(isGarbled('7KH IHUU\\ OHDYHV DW QLQH', 20), true)
  assert.equal(isGarbled('3DJH', 4), true)
})

test('short texts, numbers, codes and lists are not garbled', () => {
  for (const text of ['The end.', '- 12 -', '* * *', '...........', '§ 12 (3)', 'QVDTR-87', 'x[i] = {"a": 1}; // 50 %'])
    assert.equal(isGarbled(text, 0), false, text)
  assert.equal(isGarbled('Harbour dues \uf0b7 12', 0), false)
})

test('short texts of bitmap fonts whose codes are letters are not garbled', () => {
  assert.equal(isGarbled('The harbour report of 1998', 22), false)
  assert.equal(isGarbled('17', 2), false)
  assert.equal(isGarbled('1998', 4), false)
})
