import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toFilter } from '../../../src/console/to-filter.ts'

const EMPTY = { tags: '', documentId: '', metadata: '' }

it('narrows nothing where the fields are empty or half typed', () => {
  assert.deepEqual(toFilter(EMPTY), {})
  assert.deepEqual(toFilter({ ...EMPTY, tags: ' , ', metadata: 'team, team =, = sales' }), {})
})

it('takes tags, a document and pairs of metadata with their kinds', () => {
  assert.deepEqual(toFilter({ tags: 'a, b c', documentId: 'doc_1', metadata: 'year = 2024, open=true, code = "7"' }), {
    tags: ['a', 'b c'],
    documentIds: ['doc_1'],
    metadata: { year: 2024, open: true, code: '7' },
  })
})

it('keeps the signs of a value behind the first', () => {
  assert.deepEqual(toFilter({ ...EMPTY, metadata: 'url = https://a.example/?q=b' }), {
    metadata: { url: 'https://a.example/?q=b' },
  })
})
