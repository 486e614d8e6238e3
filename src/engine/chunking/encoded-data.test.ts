import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createEncodedData } from './encoded-data.ts'

/** Bytes that look random and are always the same. */
const BYTES = Buffer.concat(Array.from({ length: 30 }, (_, at) => createHash('sha256').update(String(at)).digest()))
const DATA = BYTES.subarray(0, 720).toString('base64')

/** Returns which chunks are data, after a chunk of words. `gap` is the distance between chunks. */
function takes(texts: readonly string[], gap = 0): boolean[] {
  const data = createEncodedData()
  data.isData({ text: 'Photos', startOffset: 0, endOffset: 6 })
  let end = 6
  return texts.map((text) => {
    const startOffset = end + gap
    end = startOffset + text.length
    return data.isData({ text, startOffset, endOffset: end })
  })
}

test('data is detected in one run, in mail lines, and with JSON line ends', () => {
  const inLines = (lineEnd: string) => DATA.match(/.{1,76}/g)?.join(lineEnd) ?? ''
  const texts = [
    DATA,
    inLines('\n').slice(0, 923),
    inLines('\r\n').slice(0, 934),
    inLines('\\n'),
    inLines('\\n').slice(30),
  ]
  for (const text of texts) assert.deepEqual(takes([text], 1), [true], text.slice(0, 100))
})

test('data next to a word, or as short as a key, is kept', () => {
  const whole = DATA.match(/.{76}/g)?.join('\n')
  const texts = [
    `${DATA}\nrotterdam`,
    `${whole}\nrotterdam`,
    `rotterdam\n${whole}`,
    `photo ${DATA}`,
    `${DATA},Porto`,
    DATA.slice(0, 500),
  ]
  for (const text of texts) assert.deepEqual(takes([text], 1), [false], text.slice(-100))
})

test('the short rest of a run is data, and a word after a line end is not', () => {
  assert.deepEqual(takes([DATA, DATA.slice(0, 90), `${DATA.slice(0, 90)},Porto`]), [true, true, false])
  assert.deepEqual(takes([DATA, 'rotterdam'], 1), [true, false])
  assert.deepEqual(takes([`${DATA},Porto`, 'Lisbon']), [false, false])
})

test('hashes, paths, genes, tokens and word lists are not data', () => {
  const digests = Array.from({ length: 15 }, (_, at) => createHash('sha512').update(String(at)).digest())
  const listed = (write: (digest: Buffer) => string, separator = '\n') => digests.map(write).join(separator)
  const texts = [
    listed((digest) => digest.toString('hex')),
    listed((digest) => digest.toString('hex'), ''),
    listed((digest) => digest.toString('base64')),
    listed((digest) => digest.toString('base64').replace(/[+/=]/g, '').slice(0, 80)),
    'usr/local/share/Documents2024/Reports7/Q3/'.repeat(30),
    'ACGTTGCA'.repeat(150),
    Array.from({ length: 100 }, (_, at) => `Harbour${at}`).join('\n'),
  ]
  for (const text of texts) assert.deepEqual(takes([text], 1), [false], text.slice(0, 100))
})

test('the first chunk of a document is kept', () => {
  const data = createEncodedData()
  const passage = { text: DATA, startOffset: 0, endOffset: DATA.length }
  assert.deepEqual([data.isData(passage), data.isData(passage), data.characters()], [false, true, DATA.length])
})
