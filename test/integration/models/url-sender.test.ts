import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import { createUrlSender, type UrlSenderDeps } from '../../../src/url-fetch/url-sender.ts'
import { openUrlFixture, type UrlFixture } from './url-fixture.ts'

const NEVER = new AbortController().signal
const POSTED = { headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' }, body: Buffer.from('{"a":1}') }

describe('a URL sender', () => {
  let fixture: UrlFixture
  before(async () => {
    fixture = await openUrlFixture()
  })
  after(() => fixture.close())

  function createSender(ports: readonly number[], more: Partial<UrlSenderDeps> = {}) {
    const allowPrivate = ports.map((port) => ({ host: '127.0.0.1', port }))
    return createUrlSender({
      allowPrivate,
      timeoutMs: 20_000,
      maxBodyBytes: 4000,
      resolve: async () => ['127.0.0.1'],
      ...more,
    })
  }

  async function failure(work: Promise<unknown>): Promise<string> {
    return work.then(
      () => 'no failure',
      (error: unknown) => (error instanceof ApiError ? `${error.code}: ${error.message}` : String(error)),
    )
  }

  it('sends body and headers, and gives status, Retry-After and body', async () => {
    const seen: { method: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
    const port = await fixture.serve(async (request, response) => {
      seen.push({ method: request.method, headers: request.headers, body: (await buffer(request)).toString() })
      response.writeHead(503, { 'retry-after': '7' }).end('later')
    })
    const answer = await createSender([port]).post(`http://hooks.example:${port}/in`, POSTED, NEVER)
    assert.deepEqual(answer, { status: 503, retryAfter: '7', body: 'later' })
    assert.deepEqual([seen[0]?.method, seen[0]?.body, seen[0]?.headers['webhook-id']], ['POST', '{"a":1}', 'msg_1'])
    assert.equal(seen[0]?.headers['user-agent'], 'Recollect')
  })

  it('follows no redirect', async () => {
    let asked = 0
    const port = await fixture.serve((_request, response) => {
      asked += 1
      response.writeHead(307, { location: '/other' }).end()
    })
    const answer = await createSender([port]).post(`http://hooks.example:${port}/`, POSTED, NEVER)
    assert.deepEqual([answer.status, asked], [307, 1])
  })

  it('reads only the needed part of an endless answer', async () => {
    const port = await fixture.serve((_request, response) => {
      response.writeHead(200)
      const write = () => {
        while (response.write('x'.repeat(1000)));
      }
      response.on('drain', write)
      write()
    })
    const answer = await createSender([port]).post(`http://hooks.example:${port}/`, POSTED, NEVER)
    assert.deepEqual([answer.status, answer.body], [200, 'x'.repeat(4000)])
  })

  it('gives up a silent receiver, and keeps the status of an endless answer', async () => {
    const silent = await fixture.serveTcp(() => undefined)
    const dripping = await fixture.serve((_request, response) => {
      response.writeHead(202)
      response.write('so far')
    })
    const sender = createSender([silent, dripping], { timeoutMs: 300 })
    assert.match(await failure(sender.post(`http://hooks.example:${silent}/`, POSTED, NEVER)), /within 0.3 seconds/)
    const answer = await sender.post(`http://hooks.example:${dripping}/`, POSTED, NEVER)
    assert.deepEqual([answer.status, answer.body], [202, 'so far'])
  })

  it('checks a name on each send, so that a name moved to a forbidden address is not reached', async () => {
    let asked = 0
    const port = await fixture.serve((_request, response) => {
      asked += 1
      response.end()
    })
    const addresses = ['127.0.0.1', '127.0.0.2']
    const sender = createSender([port], { resolve: async () => [addresses.shift() ?? ''] })
    const url = `http://hooks.example:${port}/`
    await sender.requireUrl(url)
    assert.match(
      await failure(sender.post(url, POSTED, NEVER)),
      /^url_not_allowed: The URL is not allowed: its host is not public \(loopback\)/,
    )
    assert.equal(asked, 0)
  })

  it('refuses a name of closed addresses when it is named, and lets one through that cannot be looked up', async () => {
    const closed = createSender([], { resolve: async () => ['10.0.0.1'] })
    assert.match(
      await failure(closed.requireUrl('https://hooks.example/')),
      /^url_not_allowed: The URL is not allowed: /,
    )
    const unknown = createSender([], { resolve: () => Promise.reject(new Error('no such name')) })
    assert.equal((await unknown.requireUrl('https://hooks.example/#part')).href, 'https://hooks.example/')
  })

  it('ends with the signal', async () => {
    const port = await fixture.serveTcp(() => undefined)
    const stopping = new AbortController()
    const sending = createSender([port]).post(`http://hooks.example:${port}/`, POSTED, stopping.signal)
    stopping.abort(new Error('the service stops'))
    await assert.rejects(sending, /the service stops/)
  })
})
