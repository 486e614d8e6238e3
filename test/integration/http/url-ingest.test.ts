import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { hostileUrls } from '../models/hostile-urls.ts'
import { openUrlFixture, type UrlFixture } from '../models/url-fixture.ts'
import { type RealServerOptions, startRealServer } from './real-server.ts'
import { readError } from './running-server.ts'

type RealServer = Awaited<ReturnType<typeof startRealServer>>
type Added = { documentIds: string[]; documents: { title: string }[]; documentsAdded: number }

const HTML = '<html><head><title>Tide tables</title></head><body><h1>Tides</h1><p>High water at nine.</p></body></html>'

const add = (server: RealServer, url: string, more: object = {}) =>
  server.sendJson('POST', `${server.path}/documents`, { url, ...more })

async function refuse(server: RealServer, url: string): Promise<string> {
  const { status, code, param, message } = await readError(await add(server, url))
  assert.doesNotMatch(message, /\d+\.\d+\.\d+\.\d+/, 'no address is told')
  return `${status} ${code} ${param}: ${message}`
}

/** Asserts that a failed download left nothing. */
async function assertNothingKept(server: RealServer): Promise<void> {
  assert.equal((await server.read('/documents'))['total'], 0)
  assert.deepEqual(await server.temporaryFiles(), [])
}

describe('adding by URL', () => {
  let fixture: UrlFixture
  let port: number
  let canary: number
  let hits = 0
  let answer: RequestListener = (_request, response) => response.end()
  before(async () => {
    fixture = await openUrlFixture()
    port = await fixture.serve((request, response) => answer(request, response))
    canary = await fixture.serveTcp(() => {
      hits += 1
    })
  })
  beforeEach(() => {
    hits = 0
  })
  after(() => fixture.close())

  /**
   * The allowlist contains the port of the test's server; the canary uses a port of public hosts.
   */
  function start(t: TestContext, fetcher: RealServerOptions['fetcher'] = {}, server: RealServerOptions['server'] = {}) {
    const opened = { allowPrivate: [{ host: '127.0.0.1', port }], ports: [80, 443, canary] }
    return startRealServer(t, { fetcher: { ...opened, ...fetcher }, server })
  }
  const url = (path: string) => `http://files.example:${port}${path}`

  it('reaches a canary on this machine by none of a hundred hostile URLs and redirects', async (t) => {
    const server = await start(t)
    const forms = hostileUrls(canary)
    assert.ok(forms.length >= 60)
    for (const form of forms) assert.match(await refuse(server, form), /^422 url_not_allowed url: /, form)
    for (const target of [`http://127.1:${canary}/`, `//a.example:${canary}/`, `http://[::1]:${canary}/`]) {
      answer = (request, response) => {
        response
          .writeHead(302, { location: request.url === '/3' ? target : `/${Number(request.url?.slice(1)) + 1}` })
          .end()
      }
      assert.match(
        await refuse(server, url('/1')),
        /^422 url_not_allowed url: The URL redirects to a URL that is not allowed/,
      )
    }
    assert.equal(hits, 0)
    await assertNothingKept(server)
  })

  it('distinguishes malformed URLs from forbidden ones', async (t) => {
    const server = await start(t)
    for (const form of [' ', 'files', '/etc/passwd', 'http://', 'www.files.example']) {
      assert.match(await refuse(server, form), /^400 validation_failed url: /, form)
    }
    await assertNothingKept(server)
  })

  it('looks for the memory before it sends anything', async (t) => {
    const server = await start(t)
    answer = (_request, response) => {
      hits += 1
      response.end('x')
    }
    const path = '/v1/memories/mem_01k00000000000000000000001/documents'
    const { status, code } = await readError(await server.sendJson('POST', path, { url: url('/a.txt') }))
    assert.deepEqual([status, code, hits], [404, 'memory_not_found', 0])
  })

  it('shows the requested URL on the document and its hits', async (t) => {
    const server = await start(t)
    answer = (request, response) => {
      if (request.url === '/old') return void response.writeHead(301, { location: '/new' }).end()
      response.setHeader('content-type', 'text/html').end(HTML)
    }
    const asked = `${url('/old')}#high-water`
    const response = await add(server, asked, { options: { storeSource: true } })
    assert.equal(response.status, 200)
    const { documentIds, documents } = (await response.json()) as Added
    assert.equal(documents[0]?.title, 'Tide tables')
    const document = await server.read(`/documents/${documentIds[0]}`)
    assert.deepEqual([document['sourceType'], document['url'], document['hasSource']], ['url', asked, true])
    const source = await server.send('GET', `${server.path}/documents/${documentIds[0]}/source`)
    assert.equal(await source.text(), HTML)
    const found = await server.sendJson('POST', `${server.path}/find`, { query: 'when is high water' })
    const { hits: passages } = (await found.json()) as { hits: { url: string; title: string }[] }
    assert.deepEqual([passages[0]?.url, passages[0]?.title], [asked, 'Tide tables'])
    assert.deepEqual(await server.temporaryFiles(), [])
  })

  const TEXT = 'The ferry leaves at nine.'
  type Case = readonly [path: string, headers: Record<string, string>, body: string | Buffer, expected: string]
  const served: readonly Case[] = [
    ['/notes.md', { 'content-type': 'text/markdown' }, '# Ferries\n\nAt nine.', 'Ferries notes.md text/markdown'],
    ['/get?id=4', { 'content-type': 'text/csv' }, 'a,b\n1,2\n', 'get get text/csv'],
    ['/x', { 'content-disposition': 'attachment; filename="../a/log.txt"' }, TEXT, 'log log.txt text/plain'],
    [
      '/x',
      { 'content-disposition': "attachment; filename*=UTF-8''h%C3%A4fen.txt" },
      TEXT,
      'häfen häfen.txt text/plain',
    ],
    ['/README.md', { 'content-type': 'text/html; charset=utf-8' }, HTML, 'Tide tables README.md text/html'],
    ['/a.pdf', { 'content-type': 'text/html' }, HTML, 'Tide tables a.pdf text/html'],
    ['/', { 'content-type': 'text/plain' }, TEXT, 'files.example null text/plain'],
    [
      '/',
      { 'content-type': 'text/html; charset=windows-1252' },
      Buffer.from('<title>Caf\xe9</title><p>Open at nine.', 'latin1'),
      'Café null text/html',
    ],
    ['/z.json', { 'content-encoding': 'gzip' }, gzipSync('{"ferry":"nine"}'), 'z z.json application/json'],
  ]
  it('takes name and type from headers and content', async (t) => {
    const server = await start(t)
    for (const [path, headers, body, expected] of served) {
      answer = (_request, response) => response.writeHead(200, headers).end(body)
      const response = await add(server, url(path))
      assert.equal(response.status, 200, expected)
      const { documentIds } = (await response.json()) as Added
      const { title, filename, mimeType } = await server.read(`/documents/${documentIds[0]}`)
      assert.equal(`${title} ${filename} ${mimeType}`, expected)
    }
  })

  it('leaves a large resource, and one that was asked to wait, to a job', async (t) => {
    const server = await start(t, { maxBytes: 3 * 1024 * 1024 })
    answer = (request, response) => response.end(TEXT.repeat(request.url === '/large.txt' ? 100_000 : 1))
    for (const [path, options, reason] of [
      ['/large.txt', {}, 'file_over_sync_threshold'],
      ['/small.txt', { async: true }, 'async_requested'],
    ] as const) {
      const response = await add(server, url(path), { options })
      assert.equal(response.status, 202)
      const body = (await response.json()) as { reason: string; pollUrl: string; documentIds: string[] }
      assert.deepEqual([body.reason, response.headers.get('location')], [reason, body.pollUrl])
      assert.equal((await server.read(`/documents/${body.documentIds[0]}`))['url'], url(path))
    }
    assert.deepEqual(await server.temporaryFiles(), [])
  })

  it('refuses too large, missing and unsupported content, and keeps nothing', async (t) => {
    const server = await start(t)
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const cases: readonly (readonly [RequestListener, RegExp])[] = [
      [(_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb), /^413 url_too_large url: /],
      [endless, /^413 url_too_large url: /],
      [(_request, response) => response.writeHead(404).end(), /^422 url_fetch_failed url: .+the server answered 404/],
      [(_request, response) => response.end(), /^422 unprocessable_document null: /],
      [(_request, response) => response.end(PNG), /^415 unsupported_file_type null: .+PNG image.+Supported: TXT/],
      [(_request, response) => response.end(Buffer.from([0, 1, 2, 3, 0, 0])), /^415 unsupported_file_type null: /],
    ]
    for (const [listener, expected] of cases) {
      answer = listener
      assert.match(await refuse(server, url('/file')), expected)
    }
    await assertNothingKept(server)
  })

  it('aborts a stalled body and an endlessly slow one', async (t) => {
    const stopping = await start(t, { timeouts: { idleMs: 200 } })
    answer = (_request, response) => void response.write('x')
    assert.match(
      await refuse(stopping, url('/file')),
      /^422 url_fetch_failed url: .+no data was received for 0.2 seconds/,
    )
    const dripping = await start(t, { timeouts: { totalMs: 500 } })
    answer = (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }
    assert.match(await refuse(dripping, url('/file')), /^422 url_fetch_failed url: .+took longer than 0.5 seconds/)
    for (const server of [stopping, dripping]) await assertNothingKept(server)
  })

  it("counts a download against the request's time, and leaves nothing of it", async (t) => {
    const server = await start(t, {}, { requestTimeoutMs: 1500 })
    answer = (_request, response) => void response.write('The beginning')
    const response = await add(server, url('/a.txt'))
    assert.deepEqual([response.status, (await readError(response)).code], [504, 'request_timeout'])
    while ((await server.temporaryFiles()).length > 0) await new Promise(setImmediate)
    await assertNothingKept(server)
  })

  it('adds several concurrently, each with its content', async (t) => {
    const server = await start(t)
    answer = (request, response) => response.end(`The boat ${request.url?.slice(1)} sails.`)
    const names = ['anna', 'berta', 'clara', 'dora']
    const responses = await Promise.all(names.map((name) => add(server, url(`/${name}`))))
    for (const [index, response] of responses.entries()) {
      const { documentIds } = (await response.json()) as Added
      const text = await server.send('GET', `${server.path}/documents/${documentIds[0]}/text`)
      assert.equal((await text.text()).trim(), `The boat ${names[index]} sails.`)
    }
    assert.deepEqual(await server.temporaryFiles(), [])
  })
})

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const endless: RequestListener = (_request, response) => {
  const piece = Buffer.alloc(64 * 1024, 'endless ')
  const send = (): void => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', send)
  send()
}
