import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createService } from '../../spec/service.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { type CollectedSpan, openCollector } from './collector.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const STATE = 'vendor=opaque,other@tenant=1:2'
const SECRET_WORDS = 'zanzibar quokka'
const SECRET_TITLE = 'Marmalade'
const SECRET_QUERY = 'where do quokkas live xylophone'

describe('traces', () => {
  let spans: CollectedSpan[] = []
  let everything = ''
  let output = ''
  let names: unknown[] = []
  let headers: Record<string, unknown> = {}
  let askedWith: Record<string, unknown>[] = []
  let key = ''

  before(async () => {
    const collector = await openCollector()
    const models = await startModelServer()
    models.respond(() => 'They live in Zanzibar [1].')
    const service = createService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=topsecretvalue',
      OTEL_SERVICE_NAME: 'memory-of-test',
      RECOLLECT_LLM: 'openai-compatible:test-model@8k',
      OPENAI_BASE_URL: models.url,
    })
    await service.start()
    key = service.bootstrapKey
    const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: SECRET_TITLE })
    const documents = [{ title: SECRET_TITLE, text: `The ${SECRET_WORDS} lives on Rottnest.`, tags: ['hushhush'] }]
    const path = `/v1/memories/${memory.id}`
    await service.post(`${path}/documents`, { documents })
    const later = { documents: [{ title: 'Later', text: SECRET_WORDS }], options: { async: true } }
    const { json: accepted } = await service.post<{ jobId: string }>(`${path}/documents`, later)
    await service.get(`/v1/jobs/${accepted.jobId}?wait=30`)
    const traceparent = `00-${TRACE}-${PARENT}-01`
    await service.post(`${path}/find`, { query: SECRET_QUERY }, { headers: { traceparent } })
    const ask = (brought: Record<string, string>) =>
      service.post(`${path}/ask`, { question: SECRET_QUERY }, { headers: brought })
    await ask({ traceparent, tracestate: `${STATE},NO KEY=x` })
    await ask({ traceparent: `${traceparent}-more`, tracestate: STATE })
    await ask({})
    await service.get(`/v1/memories/mem_nothing?q=${SECRET_WORDS.replace(' ', '+')}`)
    await service.stop()
    spans = collector.spans()
    everything = collector.everything()
    output = service.output()
    names = collector.serviceNames()
    headers = collector.requests[0]?.headers ?? {}
    askedWith = models.requests.map((request) => request.headers)
    await service.dispose()
    collector.close()
    await models.close()
  })

  const named = (name: string) => spans.filter((span) => span.name === name)
  const childrenOf = (parent: CollectedSpan | undefined) => spans.filter((span) => span.parentSpanId === parent?.spanId)

  it('are sent before the process ends, under the name and with the headers of the settings', () => {
    assert.ok(spans.length > 20, `${spans.length} spans`)
    assert.deepEqual(new Set(names), new Set(['memory-of-test']))
    assert.equal(headers['x-collector-key'], 'topsecretvalue')
    assert.equal(output.includes('topsecretvalue'), false)
  })

  it('continue the trace of a request, with its route and status', () => {
    const [find] = named('POST /v1/memories/:id/find')
    assert.deepEqual([find?.traceId, find?.parentSpanId], [TRACE, PARENT])
    assert.deepEqual(
      [find?.facts['http.response.status_code'], find?.facts['http.route']],
      [200, '/v1/memories/:id/find'],
    )
    assert.match(String(find?.facts['recollect.request_id']), /^req_/)
  })

  it('show what a search is made of: analysis, embedding, both legs, ranking', () => {
    const [find] = named('find').filter(({ traceId }) => traceId === TRACE)
    assert.equal(find?.parentSpanId, named('POST /v1/memories/:id/find')[0]?.spanId)
    const parts = childrenOf(find).map(({ name }) => name)
    for (const part of ['analysis', 'embedding', 'leg lexical', 'leg semantic', 'ranking']) {
      assert.ok(parts.includes(part), `${part} is not among ${parts}`)
    }
    const [ranking] = childrenOf(find).filter(({ name }) => name === 'ranking')
    assert.ok(childrenOf(ranking).some(({ name }) => name === 'read chunks'))
  })

  it('show an ingest, and a job as a separate trace', () => {
    const [ingest] = named('ingest')
    assert.ok(childrenOf(ingest).some(({ name }) => name === 'store chunks'))
    const [job] = named('job documentingestion')
    assert.equal(job?.parentSpanId ?? '', '')
    assert.match(String(job?.facts['recollect.job_id']), /^job_/)
    assert.ok(childrenOf(job).some(({ name }) => name === 'store chunks'))
  })

  it('show the call of a model, and pass the trace to the model', () => {
    const ask = named('ask').at(-1)
    const model = named('model chat').at(-1)
    assert.equal(model?.traceId, ask?.traceId)
    assert.match(String(askedWith.at(-1)?.['traceparent']), new RegExp(`^00-${ask?.traceId}-[0-9a-f]{16}-01$`))
  })

  it('pass on a valid trace state, and none without a trace', () => {
    const [brought, broken, without] = askedWith.slice(-3)
    assert.match(String(brought?.['traceparent']), new RegExp(`^00-${TRACE}-`))
    assert.equal(brought?.['tracestate'], STATE)
    assert.ok(!String(broken?.['traceparent']).includes(TRACE))
    for (const headersOfModel of [broken, without]) assert.equal(headersOfModel?.['tracestate'], undefined)
  })

  it('hold nothing of documents, questions and keys', () => {
    const planted = [...SECRET_WORDS.split(' '), ...SECRET_QUERY.split(' ').slice(-1), SECRET_TITLE, 'hushhush', key]
    for (const word of planted) assert.equal(everything.includes(word), false, `${word} stands in a span`)
  })

  it('appear in the log lines', () => {
    const lines = (output.match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line) as Record<string, unknown>)
    const [find] = lines.filter(({ route, msg }) => route === '/v1/memories/:id/find' && msg === 'request')
    assert.equal(find?.['trace_id'], TRACE)
  })
})
