import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError, LimitError, NotFoundError, RecollectError, ServiceError } from './client-errors.ts'
import { type RequestOptions, sendRequest, type Transport } from './send-request.ts'

type Sent = { url: string; key: string | null }

/** Transport with these responses in order; an Error is a broken connection. */
function transportOf(answers: readonly (Response | Error)[]): { transport: Transport; sent: Sent[] } {
  const sent: Sent[] = []
  const rest = [...answers]
  const send = async (url: string | URL | Request, init?: RequestInit) => {
    sent.push({ url: String(url), key: new Headers(init?.headers).get('idempotency-key') })
    const next = rest.shift() ?? new Response('{}', { status: 200 })
    if (next instanceof Error) throw next
    return next
  }
  return { transport: { baseUrl: 'http://service', apiKey: 'k', fetch: send, retries: 2, timeoutMs: 1000 }, sent }
}

function refusal(status: number, code: string): Response {
  const error = { code, message: 'a message', param: null, details: [], remedy: 'a remedy', requestId: 'req_1' }
  return Response.json({ error }, { status, headers: { 'retry-after': '0' } })
}

const POST: RequestOptions = { method: 'POST', path: '/v1/memories' }

test('retries 429, 5xx and a broken connection twice, under one idempotency key', async () => {
  for (const first of [refusal(429, 'rate_limited'), refusal(503, 'service_unavailable'), new TypeError('reset')]) {
    const { transport, sent } = transportOf([first, refusal(502, 'model_failed')])
    assert.equal((await sendRequest(transport, POST)).status, 200)
    assert.equal(sent.length, 3)
    assert.equal(new Set(sent.map(({ key }) => key)).size, 1)
    assert.match(sent[0]?.key ?? '', /^[0-9a-f]{32}$/)
  }
})

test('throws the last error with all of its details', async () => {
  const { transport, sent } = transportOf([1, 2, 3].map(() => refusal(503, 'service_unavailable')))
  await assert.rejects(sendRequest(transport, POST), (error) => {
    assert.ok(error instanceof ServiceError && error instanceof RecollectError)
    const { status, code, message, remedy, requestId, name } = error
    assert.deepEqual(
      { status, code, message, remedy, requestId, name },
      {
        status: 503,
        code: 'service_unavailable',
        message: 'a message',
        remedy: 'a remedy',
        requestId: 'req_1',
        name: 'ServiceError',
      },
    )
    return true
  })
  assert.equal(sent.length, 3)
})

test('rejects an invalid address or key without a request', async () => {
  const { transport, sent } = transportOf([])
  const wrong: [Partial<Transport>, RegExp][] = [
    [{ baseUrl: '' }, /^The baseUrl "" is not a valid HTTP URL/],
    [{ baseUrl: '127.0.0.1:8080' }, /^The baseUrl "127\.0\.0\.1:8080"/],
    [{ baseUrl: 'localhost:8080' }, /^The baseUrl "localhost:8080"/],
    [{ apiKey: '“rcl_x”' }, /^The apiKey contains characters/],
    [{ apiKey: '\nrcl_x' }, /^The apiKey contains characters/],
    [{ apiKey: '\ufeffrcl_x' }, /^The apiKey contains characters/],
    [{ apiKey: 'rcl_x\u2028' }, /^The apiKey contains characters/],
  ]
  for (const [part, message] of wrong) {
    await assert.rejects(sendRequest({ ...transport, ...part }, POST), {
      name: 'ConnectionError',
      code: 'unsendable',
      message,
    })
  }
  assert.equal((await sendRequest({ ...transport, apiKey: 'k\n' }, POST)).status, 200)
  assert.equal(sent.length, 1)
})

test('throws a permanent error immediately', async () => {
  for (const [answer, kind] of [
    [refusal(404, 'memory_not_found'), NotFoundError],
    [refusal(429, 'query_quota_exceeded'), LimitError],
  ] as const) {
    const { transport, sent } = transportOf([answer])
    await assert.rejects(sendRequest(transport, POST), kind)
    assert.equal(sent.length, 1)
  }
})

test('waits for a first attempt that is still in progress, without counting a retry', async () => {
  const underWay = Array.from({ length: 8 }, () => refusal(409, 'idempotency_in_progress'))
  const { transport, sent } = transportOf([new TypeError('reset'), ...underWay, refusal(503, 'service_unavailable')])
  assert.equal((await sendRequest(transport, POST)).status, 200)
  assert.equal(sent.length, 11)
  assert.equal(new Set(sent.map(({ key }) => key)).size, 1)
})

test('throws if an attempt is in progress for longer than the timeout', async () => {
  const { transport, sent } = transportOf(Array.from({ length: 9 }, () => refusal(409, 'idempotency_in_progress')))
  await assert.rejects(sendRequest({ ...transport, timeoutMs: 0 }, POST), ConflictError)
  assert.equal(sent.length, 1)
})

test('sends a body that can only be read once a single time', async () => {
  for (const answer of [refusal(503, 'service_unavailable'), refusal(409, 'idempotency_in_progress')]) {
    const { transport, sent } = transportOf([answer])
    await assert.rejects(sendRequest(transport, { ...POST, repeatable: false }), RecollectError)
    assert.equal(sent.length, 1)
  }
})

test('treats 404 after a lost response as a successful deletion', async () => {
  const { transport } = transportOf([new TypeError('reset'), refusal(404, 'memory_not_found')])
  const answer = await sendRequest(transport, { method: 'DELETE', path: '/v1/memories/mem_1' })
  assert.equal(answer.status, 204)
})

test('leaves a pause of more than 30 s to the caller', async () => {
  const late = new Response('{}', { status: 503, headers: { 'retry-after': '120' } })
  const { transport, sent } = transportOf([late])
  await assert.rejects(sendRequest(transport, POST), ServiceError)
  assert.equal(sent.length, 1)
})

test('quotes the text of a foreign response on one line', async () => {
  const page =
    '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<hr><center>nginx</center>\r\n</html>\r\n'
  for (const [body, words] of [
    ['<h1>Gateway</h1>', /Unexpected response \(status 418\), not from Recollect: Gateway$/],
    [page, /: 413 Request Entity Too Large nginx$/],
    ['', /: empty body$/],
  ] as const) {
    const { transport } = transportOf([new Response(body, { status: 418 })])
    await assert.rejects(sendRequest(transport, POST), words)
  }
})

test('rejects with the abort reason and does not retry', async () => {
  const { transport, sent } = transportOf([refusal(503, 'service_unavailable')])
  const stop = new AbortController()
  const sending = sendRequest(transport, { ...POST, signal: stop.signal })
  stop.abort(new Error('enough'))
  await assert.rejects(sending, /enough/)
  assert.ok(sent.length <= 1)
})
