import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeChunk, encodeChunk } from './chunk-record.ts'
import type { StoredChunk } from './memory-file.ts'

const int32 = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const page = fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }))
const text = fc.string({ unit: 'grapheme', maxLength: 80 })

const CHUNK: fc.Arbitrary<StoredChunk> = fc.record({
  documentId: fc.string(),
  chunkIndex: int32,
  kind: fc.constantFrom('document', 'correction'),
  text,
  windows: fc.uint8Array({ maxLength: 40 }),
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
