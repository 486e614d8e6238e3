import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createEndpointReranker } from '../../../src/models/endpoints/endpoint-reranker.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import { rerankDocuments } from '../../../src/services/search/rank-documents.ts'
import type { FindRequest } from '../../../src/services/search/search.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { openIngestFixture, textDocument } from './ingest-fixture.ts'

const server = await startModelServer()
after(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.script()
})
const reranker = createEndpointReranker({
  model: 'rerank-mini',
  endpoint: { baseUrl: server.url, apiKey: null },
  log: { warn() {} },
  pauseMs: 1,
})
const QUERY = 'when is the lift serviced'

/** Sixty notes about lifts, all but one misleading for the model, and a correction. */
async function openFixture(t: Parameters<typeof openIngestFixture>[0]) {
  const fixture = await openIngestFixture(t)
  const { parts, caller, memory } = fixture
  const notes = Array.from({ length: 60 }, (_, index) => textDocument(`The lift of house ${index} is new.`))
  await fixture.add({}, [...notes, textDocument('When is the serviced lift in use? On Mondays.')])
  const statement = 'The lift is serviced on Fridays.'
  const { signal } = new AbortController()
  await createCorrectionsService(parts).add(caller, memory.id, {
    corrections: [{ statement, topics: [], boost: 2 }],
    signal,
  })
  const find = async (given: Partial<FindRequest> & { reranked: boolean }) => {
    const { reranked, ...request } = given
    const search = createSearchService({ ...parts, rerank: true, ...(reranked ? { reranker } : {}) })
    return search.find(await search.open(caller, memory.id), {
      query: QUERY,
      limit: 100,
      mode: 'hybrid',
      highlight: false,
      ...request,
    })
  }
  return { find, statement }
}

test('the first fifty follow the order of the model; the rest and the corrections keep their order', async (t) => {
  const { find, statement } = await openFixture(t)
  // The later a text in the request, the better its score.
  const results = Array.from({ length: 50 }, (_, index) => ({ index, relevance_score: index / 50 }))
  const [before, fused] = [await find({ reranked: false }), await find({ reranked: false })]
  assert.deepEqual(before.hits, fused.hits)
  server.script({ body: JSON.stringify({ results }) })
  const { hits, warnings } = await find({ reranked: true })
  assert.deepEqual(warnings, [])
  assert.equal(server.requests[0]?.body.documents?.length, 50)
  assert.deepEqual([hits[0]?.kind, hits[0]?.text], ['correction', statement])
  const order = (from: number, to: number, of = hits) => of.slice(from, to).map(({ chunkId }) => chunkId)
  assert.deepEqual(order(1, 51), order(1, 51, before.hits).reverse())
  assert.deepEqual(order(51, 62), order(51, 62, before.hits))
  assert.deepEqual([hits[1]?.scores.rerank, hits[50]?.scores.rerank, hits[51]?.scores.rerank], [0.98, 0, null])
  const scores = hits.map(({ score }) => score)
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  )
  assert.ok(scores.every((score) => score >= 0 && score <= 1))
})

test('a model that fails leaves the order there was, with a warning', async (t) => {
  const { find } = await openFixture(t)
  const before = await find({ reranked: false })
  for (const behaviour of [{ status: 401 }, { body: '<html>' }]) {
    server.script(behaviour)
    const { hits, warnings } = await find({ reranked: true })
    assert.deepEqual(hits, before.hits)
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['reranker_unavailable'],
    )
  }
})

test('a model over its time budget keeps the order and is aborted', async () => {
  server.script({ stall: 'before-headers' })
  const ranked = ['one', 'two'].map((text) => place(text))
  const warned: unknown[] = []
  const log = { warn: (facts: unknown) => void warned.push(facts) }
  const { documents, warnings } = await rerankDocuments({ reranker, log, timeoutMs: 1000 }, { query: 'two' }, ranked)
  assert.equal(documents, ranked)
  assert.match(warnings[0]?.message ?? '', /rerank-mini did not answer within 1 s/)
  assert.deepEqual(warned, [{ model: 'rerank-mini' }])
  assert.equal(await server.requests[0]?.ended, 'left')
})

test('an abandoned search aborts or skips the model', async (t) => {
  const { find } = await openFixture(t)
  server.script({ stall: 'before-headers' })
  const leaving = new AbortController()
  const reason = new Error('left')
  const asked = server.nextRequest()
  const found = assert.rejects(find({ reranked: true, signal: leaving.signal }), reason)
  const { ended } = await asked
  leaving.abort(reason)
  await found
  assert.equal(await ended, 'left')
  server.requests.length = 0
  for (const mode of ['hybrid', 'lexical'] as const) {
    await assert.rejects(find({ reranked: true, mode, signal: AbortSignal.abort(reason) }), reason)
  }
  assert.equal(server.requests.length, 0)
})

test('a lexical search keeps its order, and nothing is sent', async (t) => {
  const { find } = await openFixture(t)
  const requests = [{ mode: 'lexical' }, { mode: 'auto', query: '"the serviced lift"' }] as const
  for (const request of requests) {
    const found = await find({ reranked: true, ...request })
    assert.deepEqual(found.hits, (await find({ reranked: false, ...request })).hits)
  }
  assert.equal(server.requests.length, 0)
})

type Ranked = Parameters<typeof rerankDocuments>[2][number]

function place(text: string): Ranked {
  const chunk = { text, section: null, header: null } as Ranked['candidate']['chunk']
  const document = { title: 'a document', filename: null } as Ranked['candidate']['document']
  const scores = { lexical: null, semantic: null, fused: 0, rerank: null }
  const found = { lexical: null, vector: null, isNear: false, copyKey: text, unrankedCopies: 0 }
  return { candidate: { chunk, document, ...found }, score: 1, scores }
}
