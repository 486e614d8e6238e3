import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../ids.ts'
import {
  documentFolder,
  documentObject,
  isOfUpload,
  memoryFolder,
  OF_UPLOAD,
  readObjectKey,
} from './document-folder.ts'

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
