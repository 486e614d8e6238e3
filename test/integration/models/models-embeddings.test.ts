import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { inspect } from 'node:util'
import {
  createEndpointEmbedder,
  type EndpointEmbedderOptions,
} from '../../../src/models/endpoints/endpoint-embedder.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'

const server = await startModelServer()
after(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.setDimensions(16)
})

function embedderWith(options: Partial<EndpointEmbedderOptions> = {}) {
  const endpoint = { baseUrl: server.url, apiKey: 'the-secret-key' }
  return createEndpointEmbedder({ model: 'mini', endpoint, log: { warn() {} }, pauseMs: 1, ...options })
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return [...(a ?? [])].reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0)
}

const inputs = () => server.requests.map(({ body }) => [body.input ?? []].flat())

describe('an embedder behind an endpoint', () => {
  it('asks nothing at the start, and finds out how long its vectors are', async () => {
    server.setDimensions(24)
    const embedder = embedderWith()
    assert.equal(server.requests.length, 0)
    assert.deepEqual(await embedder.embed([' '], 'passage'), [new Float32Array(24)])
  })

  it('knows how long the vectors of the large providers are', async () => {
    const embedder = embedderWith({ model: 'text-embedding-3-small' })
    assert.deepEqual(await embedder.embed(['', '\n'], 'passage'), [new Float32Array(1536), new Float32Array(1536)])
    assert.equal(server.requests.length, 0)
    await assert.rejects(embedder.embed(['apples'], 'passage'), { code: 'model_failed' })
  })

  it('gives unit vectors in the order of the texts, and zeros for blank ones', async () => {
    const embedder = embedderWith()
    const [apples, blank, pears, both] = await embedder.embed(
      ['ripe apples', ' \n', 'green pears', 'apples pears'],
      'passage',
    )
    assert.ok(Math.abs(cosine(apples, apples) - 1) < 1e-6)
    assert.deepEqual(blank, new Float32Array(16))
    assert.ok(cosine(apples, both) > cosine(apples, pears))
  })

  it('asks for every text once, in batches', async () => {
    const embedder = embedderWith({ limits: { texts: 3, tokens: 1000 } })
    const texts = ['one', 'two', 'three', 'two', 'four', 'one']
    const first = await embedder.embed(texts, 'passage')
    assert.deepEqual(inputs().toSorted(), [['four'], ['one', 'two', 'three']])
    assert.deepEqual(await embedder.embed(texts, 'passage'), first)
    assert.equal(server.requests.length, 2, 'the second time nothing is asked')
  })

  it('adds the prefix that a model was trained with', async () => {
    const embedder = embedderWith({ model: 'nomic-embed-text' })
    server.requests.length = 0
    await embedder.embed(['apples'], 'query')
    await embedder.embed(['apples'], 'passage')
    assert.deepEqual(inputs(), [['search_query: apples'], ['search_document: apples']])
  })

  it('believes the numbers of the vectors, not their order', async () => {
    const embedder = embedderWith()
    const vector = (at: number) => Array.from({ length: 16 }, (_, index) => (index === at ? 2 : 0))
    const data = [
      { index: 1, embedding: vector(1) },
      { index: 0, embedding: vector(0) },
    ]
    server.script({ body: JSON.stringify({ data }) })
    const vectors = await embedder.embed(['first', 'second'], 'passage')
    assert.deepEqual(
      vectors.map((found) => [found[0], found[1]]),
      [
        [1, 0],
        [0, 1],
      ],
    )
  })

  it('asks again after a passing failure', async () => {
    const embedder = embedderWith()
    server.script({ status: 503 }, { drop: 'before-headers' })
    assert.equal((await embedder.embed(['apples'], 'query')).length, 1)
  })

  it('cuts a text that the model finds too long, alone', async () => {
    const embedder = embedderWith()
    server.requests.length = 0
    const long = 'apple '.repeat(200)
    // The batch, the long text and its first half are refused.
    server.script({ status: 413 }, { status: 413 }, { status: 413 })
    const [vector, short] = await embedder.embed([long, 'pears'], 'passage')
    assert.ok(vector !== undefined && short !== undefined)
    assert.deepEqual(
      inputs().map((texts) => texts.map((text) => text.length)),
      [[1200, 5], [1200], [600], [300], [5]],
    )
  })

  const garbage = [
    { body: '{"data":[]}' },
    { body: '{"data":[{"index":0,"embedding":[]}]}' },
    { body: '{"data":[{"index":0,"embedding":[1,2,3]}]}' },
    { body: '{"data":[{"index":0,"embedding":"AAAA"}]}' },
    { body: '<html>' },
    { status: 401 },
  ]
  for (const behaviour of garbage)
    it(`fails with model_failed on ${JSON.stringify(behaviour)}, and continues with the next`, async () => {
      const embedder = embedderWith()
      await embedder.embed(['known'], 'passage')
      server.script(behaviour)
      await assert.rejects(embedder.embed(['the cellar code is four nine two'], 'passage'), (error) => {
        assert.ok(!inspect(error, { depth: 20 }).includes('cellar'))
        return (error as { code?: string }).code === 'model_failed'
      })
      assert.equal((await embedder.embed(['the cellar code is four nine two'], 'passage')).length, 1)
    })

  it('gives up an endpoint that does not answer, and leaves no connection', async () => {
    const embedder = embedderWith({ model: 'text-embedding-3-small', timeoutMs: 100 })
    server.script({ stall: 'before-headers' })
    await assert.rejects(embedder.embed(['apples'], 'query'), { code: 'model_failed' })
    for (const { ended } of server.requests) assert.equal(await ended, 'left')
    assert.equal(server.openRequests(), 0)
  })

  it('stops at the deadline of its caller, with the reason of the caller', async () => {
    const embedder = embedderWith()
    server.script({ stall: 'before-headers' })
    const reason = new Error('over budget')
    const controller = new AbortController()
    void server.nextRequest().then(() => controller.abort(reason))
    const embedding = embedder.embed(['apples'], 'query', { signal: controller.signal })
    await assert.rejects(embedding, (error) => error === reason)
    assert.equal(await server.requests[0]?.ended, 'left')
  })

  it('retries an endpoint after a first failure', async () => {
    const embedder = embedderWith()
    server.script({ status: 401 })
    await assert.rejects(embedder.embed(['apples'], 'query'), { code: 'model_failed' })
    assert.equal((await embedder.embed(['apples'], 'query'))[0]?.length, 16)
  })
})
