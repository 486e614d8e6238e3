import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../ids.ts'
import { chunkPredicate, documentPredicate, requireFileName } from './chunk-predicate.ts'

test('an empty filter produces no condition', () => {
  assert.equal(chunkPredicate(), null)
  assert.equal(chunkPredicate({ labels: [] }), null)
})

test('the parts of a filter are joined with AND', () => {
  const id = newId('doc')
  const label = '0123456789abcdef'
  assert.equal(
    chunkPredicate({ kind: 'correction', documentIds: [id], labels: [label, label] }),
    `kind = 'correction' AND document_id IN ('${id}') AND array_has_all(labels, ['${label}', '${label}'])`,
  )
})

test('an empty list of documents matches nothing', () => {
  assert.equal(chunkPredicate({ documentIds: [] }), 'false')
})

test('foreign identifiers and labels are rejected', () => {
  const id = newId('doc')
  for (const evil of ["x' OR '1'='1", `${id}'`, `${id} `, `${id}\n`, '', 'doc_', newId('mem'), id.toUpperCase()]) {
    assert.throws(() => documentPredicate([id, evil]), TypeError)
    assert.throws(() => requireFileName(evil === '' || !evil.startsWith('mem_') ? evil : `${evil}.lance`), TypeError)
  }
  for (const label of ["a'b", '0123456789ABCDEF', '0123', '0'.repeat(65), '0123456789abcdef\n']) {
    assert.throws(() => chunkPredicate({ labels: [label] }), TypeError)
  }
})
