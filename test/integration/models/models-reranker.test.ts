import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { createEndpointReranker } from '../../../src/models/endpoints/endpoint-reranker.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'

const server = await startModelServer()
after(() => server.close())
beforeEach(() => {
  server.requests.length = 0
})
const reranker = createEndpointReranker({
  model: 'rerank-mini',
  endpoint: { baseUrl: `${server.url}/`, apiKey: 'the-secret-key' },
  log: { warn() {} },
  pauseMs: 1,
})
const REQUEST = { query: 'ripe apples', texts: ['green pears', 'ripe apples', 'ripe plums'] }

describe('a reranker behind an endpoint', () => {
  it('gives the scores in the order of the texts, though they come by rank', async () => {
    assert.deepEqual(await reranker.rerank(REQUEST), [0, 1, 0.5])
    const [request] = server.requests
    assert.equal(request?.path, '/v1/rerank')
    assert.equal(request?.body.query, 'ripe apples')
    assert.equal(request?.body.top_n, 3)
    assert.equal(request?.headers['authorization'], 'Bearer the-secret-key')
  })

  it('asks nothing for no texts', async () => {
    assert.deepEqual(await reranker.rerank({ query: 'apples', texts: [] }), [])
    assert.equal(server.requests.length, 0)
  })

  it('reads the other form of the answer', async () => {
    server.script({ body: '[{"index":1,"score":-2},{"index":0,"score":-9},{"index":2,"score":3}]' })
    assert.deepEqual(await reranker.rerank(REQUEST), [-9, -2, 3])
  })

  it('asks again after a passing failure', async () => {
    server.script({ status: 500 }, { status: 429 })
    assert.deepEqual(await reranker.rerank(REQUEST), [0, 1, 0.5])
  })

  for (const behaviour of [
    { status: 400 },
    { body: 'fine' },
    { body: 'null' },
    { body: '{"results":[{"index":0,"relevance_score":1}]}' },
    { body: '{"results":[{"index":7,"relevance_score":1},{"index":-1},null,3]}' },
    { isEndless: true },
  ])
    it(`fails with model_failed on ${JSON.stringify(behaviour)}`, async () => {
      server.script(behaviour)
      await assert.rejects(reranker.rerank(REQUEST), { code: 'model_failed' })
      assert.equal(server.requests.length, 1)
      await server.requests[0]?.ended
      assert.equal(server.openRequests(), 0)
    })

  it('stops at the deadline of its caller, with the reason of the caller', async () => {
    server.script({ stall: 'before-headers' })
    const reason = new Error('over budget')
    const controller = new AbortController()
    void server.nextRequest().then(() => controller.abort(reason))
    await assert.rejects(reranker.rerank({ ...REQUEST, signal: controller.signal }), (error) => error === reason)
    assert.equal(await server.requests[0]?.ended, 'left')
  })
})
