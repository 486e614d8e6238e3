import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, test } from 'node:test'
import { newId } from '../ids.ts'
import {
  decodePieces,
  decodeText,
  documentFolder,
  documentObject,
  encodeText,
  isOfUpload,
  memoryFolder,
  OF_UPLOAD,
  readObjectKey,
} from './document-objects.ts'

const MEMORY = newId('mem')
const DOCUMENT = newId('doc')

test('the objects of a document lie in its folder, which lies in that of its memory', () => {
  assert.equal(documentObject(MEMORY, DOCUMENT, 'text'), `memories/${MEMORY}/documents/${DOCUMENT}/text`)
  assert.ok(documentObject(MEMORY, DOCUMENT, 'source').startsWith(documentFolder(MEMORY, DOCUMENT)))
  assert.ok(documentFolder(MEMORY, DOCUMENT).startsWith(memoryFolder(MEMORY)))
})

test('a key says whose object it is; one that is not ours says nothing', () => {
  const read = readObjectKey(documentObject(MEMORY, DOCUMENT, 'recognized/3'))
  assert.deepEqual(read, { memoryId: MEMORY, documentId: DOCUMENT, name: 'recognized/3' })
  for (const key of ['installation/id', `memories/${MEMORY}/x`, documentFolder(MEMORY, DOCUMENT), `x/${MEMORY}`]) {
    assert.equal(readObjectKey(key), null, key)
  }
})

test('an upload and its recognised pages are needed no longer when the document is whole; its text and its original are', () => {
  for (const name of OF_UPLOAD) assert.ok(isOfUpload(name), name)
  assert.ok(isOfUpload('recognized/12'))
  for (const name of ['text', 'source', 'recognized', 'uploads']) assert.equal(isOfUpload(name), false, name)
})

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
