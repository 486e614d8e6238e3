import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactResponse } from './redact-responses.ts'

const GONE = 'doc_01m7zhbhk1e4frd4zg0jyprctx'
const HERE = 'doc_01m7zhbhk1e4frd4zg0jyprcty'
const isGone = (id: string) => id === GONE

function redacted(body: object): unknown {
  return JSON.parse(redactResponse(JSON.stringify(body), isGone))
}

test('removes only the content of deleted documents', () => {
  const documents = [
    { id: GONE, title: 'Secret', status: 'ready', chunkCount: 1, duplicateOf: null },
    { id: HERE, title: 'Open', status: 'ready', chunkCount: 1, duplicateOf: null },
    { id: null, title: 'Secret', status: 'duplicate', chunkCount: 0, duplicateOf: GONE },
    { id: null, title: 'Open', status: 'duplicate', chunkCount: 0, duplicateOf: HERE },
  ]
  assert.deepEqual(redacted({ status: 'completed', documentIds: [GONE, HERE], documents }), {
    status: 'completed',
    documentIds: [GONE, HERE],
    documents: [{ ...documents[0], title: '' }, documents[1], { ...documents[2], title: '' }, documents[3]],
  })
})

test('removes recognised words and statements', () => {
  const image = { text: 'Secret', mode: 'fast', blocks: [{ text: 'Secret' }], documentId: GONE, documentsAdded: 1 }
  assert.deepEqual(redacted(image), { ...image, text: '', blocks: [] })
  const again = {
    ...image,
    documentId: null,
    duplicateOf: GONE,
    warnings: [{ code: 'duplicate_document', message: GONE }],
  }
  assert.deepEqual(redacted(again), { ...again, text: '', blocks: [], warnings: [] })
  const correction = { id: HERE, statement: 'Open', topics: ['o'], outranks: [{ documentId: GONE, snippet: 'Secret' }] }
  assert.deepEqual(redacted(correction), { ...correction, outranks: [{ documentId: GONE, snippet: '' }] })
})

test('keeps a response without deleted documents unchanged', () => {
  const body = `{ "id": "${HERE}",  "title": "Open" }`
  assert.equal(redactResponse(body, isGone), body)
})

test('removes the explanation of a hit with its document', () => {
  const gone = 'doc_01m7yr0fdrf21vdwyrjzjpfjva'
  const explanation = { summary: '0.91.', terms: [{ term: 'refund', words: ['refunds'], count: 1 }] }
  const kept = { documentId: 'doc_01m7yr0fccf21vdwyq0s8x2nbe', explanation }
  const answer = { hits: [{ documentId: gone, explanation }, kept] }
  const terms = [{ term: 'refund', words: [], count: 1 }]
  assert.deepEqual(JSON.parse(redactResponse(JSON.stringify(answer), (id) => id === gone)), {
    hits: [{ documentId: gone, explanation: { ...explanation, terms } }, kept],
  })
})
