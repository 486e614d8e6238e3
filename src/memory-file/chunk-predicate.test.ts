import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../ids.ts'
import { chunkPredicate, documentPredicate, requireFileName, toDocumentSet } from './chunk-predicate.ts'

test('an empty filter produces no condition', () => {
  assert.equal(chunkPredicate(), null)
  assert.equal(chunkPredicate({}), null)
})

test('the parts of a filter are joined with AND', () => {
  const id = newId('doc')
  assert.equal(
    chunkPredicate({ kind: 'correction', documents: toDocumentSet([id]) }),
    `kind = 'correction' AND document_id IN ('${id}')`,
  )
})

test('an empty list of documents matches nothing', () => {
  assert.equal(chunkPredicate({ documents: toDocumentSet([]) }), 'false')
})

test('foreign identifiers are rejected', () => {
  const id = newId('doc')
  for (const evil of ["x' OR '1'='1", `${id}'`, `${id} `, `${id}\n`, '', 'doc_', newId('mem'), id.toUpperCase()]) {
    assert.throws(() => documentPredicate([id, evil]), TypeError)
    assert.throws(() => requireFileName(evil === '' || !evil.startsWith('mem_') ? evil : `${evil}.lance`), TypeError)
  }
})
