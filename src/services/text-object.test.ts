import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { decodePieces, decodeText, encodeText } from './text-object.ts'

describe('a text in the object store', () => {
  it('is put in at once where it is short, and piece by piece where it is long', async () => {
    assert.deepEqual(encodeText('Möwe'), Buffer.from('Möwe'))
    const long = `x${'\u{1f426}'.repeat(700_000)}`
    const encoded = encodeText(long)
    assert.ok(encoded instanceof Readable)
    const pieces = await encoded.toArray()
    assert.ok(pieces.length > 1 && pieces.every((piece) => Buffer.isBuffer(piece)))
    assert.ok(Buffer.concat(pieces).equals(Buffer.from(long)))
  })

  it('comes out as it was put in, wherever its bytes are parted', async () => {
    const text = '\ufeffMöwe \u{1f426}\n\u0000'
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte))
    assert.equal(await decodeText(Readable.from(bytes)), text)
    assert.equal(await decodeText(Readable.from([])), '')
    assert.equal((await buffer(Readable.from(bytes))).toString(), text)
  })

  it('comes out in pieces that a reader can tell a dialect by, and goes in so', async () => {
    const text = 'Möwe \u{1f426}\n'.repeat(50_000)
    const bytes = Buffer.from(text)
    const parts = Array.from({ length: bytes.length / 1000 }, (_, at) => bytes.subarray(at * 1000, at * 1000 + 1000))
    const pieces = await decodePieces(Readable.from(parts))
    const [first, , ...rest] = pieces.map(({ length }) => length)
    assert.ok(rest.length > 2 && rest.every((length) => length < 70_000) && Number(first) >= 65_536)
    const encoded = encodeText(pieces)
    assert.ok(encoded instanceof Readable)
    assert.ok((await buffer(encoded)).equals(bytes))
  })
})
