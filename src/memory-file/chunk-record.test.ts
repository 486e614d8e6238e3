import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeChunk, encodeChunk, packWindows, unpackWindows } from './chunk-record.ts'
import type { StoredChunk } from './memory-file.ts'

const int32 = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const page = fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }))
const text = fc.string({ unit: 'grapheme', maxLength: 80 })

const CHUNK: fc.Arbitrary<StoredChunk> = fc.record({
  documentId: fc.string(),
  chunkIndex: int32,
  kind: fc.constantFrom('document', 'correction'),
  text,
  // Multiples of an eighth of the largest number, so that nothing is rounded.
  windows: fc.array(fc.integer({ min: -7, max: 7 }), { maxLength: 20 }).map((codes) => Int8Array.from([-8, ...codes])),
  startOffset: int32,
  endOffset: int32,
  page,
  pageEnd: page,
  section: fc.option(text),
  header: fc.option(text),
})

const recorded = (chunk: StoredChunk) => {
  const record = encodeChunk(chunk)
  return new Uint8Array(record.buffer, record.byteOffset, record.byteLength)
}

const plain = (chunk: StoredChunk) => ({ ...chunk, windows: [...chunk.windows] })

describe('the record of a chunk', () => {
  it('decodes to the chunk, with missing fields as null', () => {
    fc.assert(fc.property(CHUNK, (chunk) => assert.deepEqual(plain(decodeChunk(recorded(chunk))), plain(chunk))))
  })

  it('decodes at any offset of a buffer', () => {
    const [chunk] = fc.sample(CHUNK, 1)
    assert.ok(chunk)
    const record = recorded(chunk)
    const among = Buffer.concat([Buffer.alloc(3, 255), record, Buffer.alloc(5, 255)])
    assert.deepEqual(plain(decodeChunk(among.subarray(3, 3 + record.length))), plain(chunk))
  })

  it('is rejected with another version', () => {
    const [chunk] = fc.sample(CHUNK, 1)
    assert.ok(chunk)
    const record = recorded(chunk)
    record[0] = 1
    assert.throws(() => decodeChunk(record), { code: 'internal_error', remedy: /recollect doctor --fix/ })
    record[0] = 3
    assert.throws(() => decodeChunk(record), TypeError)
    assert.throws(() => decodeChunk(new Uint8Array()), TypeError)
  })
})

const WINDOWS = fc
  .array(fc.integer({ min: -127, max: 127 }), { maxLength: 600 })
  .map((numbers) => Int8Array.from(numbers))

const again = (windows: Int8Array) => unpackWindows(packWindows(windows), windows.length)

describe('packed windows', () => {
  it('differ by at most an eighth of the largest number of their block', () => {
    fc.assert(
      fc.property(WINDOWS, (windows) => {
        for (const [at, number] of again(windows).entries()) {
          const start = at - (at % 32)
          const largest = Math.max(...windows.subarray(start, start + 32).map(Math.abs))
          assert.ok(Math.abs(number - (windows[at] ?? 0)) <= largest / 8 + 0.5)
        }
      }),
    )
  })

  it('preserve the largest number of a block and zeros', () => {
    assert.deepEqual([...again(Int8Array.of(-127, 0, 111))], [-127, 0, 111])
    assert.deepEqual([...again(Int8Array.of(127, 0, -111))], [127, 0, -111])
    assert.deepEqual([...again(new Int8Array(70))], [...new Int8Array(70)])
    assert.deepEqual([...again(new Int8Array())], [])
  })

  it('take slightly more than half of the space', () => {
    assert.equal(packWindows(new Int8Array(1024)).length, 544)
  })
})
