import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { createServer, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { createGuardedAgents } from '../../../src/url-fetch/guarded-agent.ts'
import { createUrlGuard } from '../../../src/url-fetch/url-guard.ts'
import { hostileUrls } from './hostile-urls.ts'
import { makeCertificate } from './self-made-certificate.ts'
import { type FetcherOptions, openUrlFixture, type UrlFixture } from './url-fixture.ts'

describe('a canary on this machine', () => {
  let fixture: UrlFixture
  let canary: number
  let hits = 0
  before(async () => {
    fixture = await openUrlFixture()
    canary = await fixture.serveTcp(() => {
      hits += 1
    })
  })
  beforeEach(() => {
    hits = 0
  })
  after(() => fixture.close())

  /** The allowlist contains the port, so only the address prevents the download. */
  const withPort = (): FetcherOptions => ({ ports: [80, 443, canary] })

  it('is not reached by any form of its address', async () => {
    for (const url of hostileUrls(canary))
      assert.match(await fixture.fail(url, [], withPort()), /^url_not_allowed: /, url)
    assert.equal(hits, 0)
  })

  it('is not reached by a name of which one address is public', async () => {
    const resolve = async () => ['93.184.215.14', '127.0.0.1']
    const outcome = await fixture.fail(`http://half.example:${canary}/`, [], { ...withPort(), resolve })
    assert.match(outcome, /^url_not_allowed: .+ not public \(loopback\)/)
    assert.equal(hits, 0)
  })

  it("is not reached by the system's own answer for localhost", async () => {
    const resolve = async (name: string) => (await lookup(name, { all: true })).map(({ address }) => address)
    const outcome = await fixture.fail(`http://localhost:${canary}/`, [], { ...withPort(), resolve })
    assert.match(outcome, /^url_not_allowed: .+ not public \(loopback\)/)
    assert.equal(hits, 0)
  })

  it('is not reached by a redirect, at any step of a chain', async () => {
    const targets = [
      `http://127.0.0.1:${canary}/`,
      `//127.1:${canary}/`,
      `http://[::ffff:7f00:1]:${canary}/`,
      `http://bad.example:${canary}/`,
    ]
    for (const target of targets) {
      const port = await fixture.serve(({ url }, response) => {
        response.writeHead(302, { location: url === '/3' ? target : `/${Number(url?.slice(1)) + 1}` }).end()
      })
      const outcome = await fixture.fail(`http://files.example:${port}/1`, [port], withPort())
      assert.match(
        outcome,
        /^url_not_allowed: The URL redirects to a URL that is not allowed: its host is not public \(loopback\)/,
      )
    }
    assert.equal(hits, 0)
  })

  it('is not reached by a redirect with credentials, another scheme or another port', async () => {
    const targets = [
      `http://u:p@127.0.0.1:${canary}/`,
      'file:///etc/passwd',
      'ftp://a.example/',
      'data:,x',
      'http://a.example:22/',
      'http:\\\\127.0.0.1/',
    ]
    for (const target of targets) {
      const port = await fixture.serve((_request, response) => response.writeHead(307, { location: target }).end())
      const outcome = await fixture.fail(`http://files.example:${port}/`, [port], withPort())
      assert.match(outcome, /^url_not_allowed: The URL redirects to a URL that is not allowed: /, target)
    }
    assert.equal(hits, 0)
  })

  it('is not reached by a name that changes its answer between two look-ups', async () => {
    const port = await fixture.serve((_request, response) => response.writeHead(302, { location: '/again' }).end())
    let lookUps = 0
    const resolve = async () => {
      lookUps += 1
      return lookUps === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
    // The first answer is opened and the second is not: a connection made to a second look-up's
    // answer would be refused.
    const outcome = await fixture.fail(`http://rebind.example:${port}/`, [port], { ...withPort(), resolve })
    assert.match(outcome, /^url_not_allowed: The URL redirects .+ not public \(loopback\)/)
    assert.equal(lookUps, 2)
  })

  it('is not reached by what a proxy setting of the environment names', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const port = await fixture.serve((_request, response) => response.end('direct'))
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${canary}`
    try {
      assert.equal((await fixture.fetch(`http://files.example:${port}/`, [port])).content.toString(), 'direct')
    } finally {
      for (const name of names) delete process.env[name]
    }
    assert.equal(hits, 0)
  })

  it('is reached when allowed, which proves that these tests would notice', async () => {
    await fixture.fail(`http://127.1:${canary}/`, [canary], { timeouts: { headersMs: 50 } })
    assert.equal(hits, 1)
  })
})

describe('a URL fetcher over TLS', () => {
  const certificate = makeCertificate(['files.example'])
  /** The name that the client requested in the handshake. */
  let named: unknown
  let fixture: UrlFixture
  let port: number
  let hits = 0
  before(async () => {
    fixture = await openUrlFixture()
    port = await fixture.serveTls(certificate, ({ headers, url, socket }, response) => {
      hits += 1
      named = (socket as TLSSocket).servername
      if (url?.startsWith('/to?') === true) return void response.writeHead(302, { location: url.slice(4) }).end()
      response.end(headers.host)
    })
  })
  beforeEach(() => {
    hits = 0
  })
  after(() => fixture.close())
  const trusting: FetcherOptions = { extraRoots: [certificate.cert] }

  it('verifies the certificate against the host name while connecting to the checked address', async () => {
    const { content } = await fixture.fetch(`https://files.example:${port}/`, [port], trusting)
    assert.equal(content.toString(), `files.example:${port}`)
    assert.equal(named, 'files.example')
  })

  it('refuses a certificate that is untrusted, expired or for another name', async () => {
    const expired = makeCertificate(['files.example'], 0)
    const late = await fixture.serveTls(expired, (_request, response) => response.end())
    const outcomes = [
      await fixture.fail(`https://files.example:${port}/`, [port]),
      await fixture.fail(`https://other.example:${port}/`, [port], trusting),
      await fixture.fail(`https://127.0.0.1:${port}/`, [port], trusting),
      await fixture.fail(`https://files.example:${late}/`, [late], { extraRoots: [expired.cert] }),
    ]
    for (const outcome of outcomes) assert.match(outcome, /^url_fetch_failed: .+ certificate of its host is not valid/)
    assert.equal(hits, 0)
  })

  it('verifies also where the environment says not to', async () => {
    const name = 'NODE_TLS_REJECT_UNAUTHORIZED'
    process.env[name] = '0'
    try {
      assert.match(await fixture.fail(`https://files.example:${port}/`, [port]), /certificate of its host is not valid/)
    } finally {
      delete process.env[name]
    }
    assert.equal(hits, 0)
  })

  it('follows a redirect to https and none from https to http', async () => {
    const plain = await fixture.serve((_request, response) => {
      response.writeHead(301, { location: `https://files.example:${port}/` }).end()
    })
    const both = [port, plain]
    const { finalUrl } = await fixture.fetch(`http://files.example:${plain}/`, both, trusting)
    assert.equal(finalUrl, `https://files.example:${port}/`)
    const down = `https://files.example:${port}/to?http://files.example:${plain}/`
    assert.match(await fixture.fail(down, both, trusting), /^url_not_allowed: .+ https must not redirect to http/)
  })

  it('says that a server speaks no TLS', async () => {
    const plain = await fixture.serve((_request, response) => response.end())
    assert.match(await fixture.fail(`https://files.example:${plain}/`, [plain]), /^url_fetch_failed: .+ TLS/)
  })

  it('gives up a handshake that takes too long', async () => {
    const mute = await fixture.serveTcp(() => undefined)
    const outcome = await fixture.fail(`https://files.example:${mute}/`, [mute], { timeouts: { connectMs: 100 } })
    assert.match(outcome, /^url_fetch_failed: .+ the connection timed out after 0.1 seconds/)
  })
})

describe('guarded agents', () => {
  it('guard any request of node:http, a POST as well', async () => {
    const server = createServer(async (incoming, response) =>
      response.end(`${incoming.method} ${await text(incoming)}`),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const send = (host: string) => {
      const guard = createUrlGuard({
        allowPrivate: [{ host: 'hook.example', port }],
        ports: [80, 443],
        resolve: async () => ['127.0.0.1'],
      })
      const { http: agent } = createGuardedAgents({ guard, connectMs: 20_000 })
      return new Promise<string>((resolve, reject) => {
        request({ host, port, method: 'POST', agent }, (response) => resolve(text(response)))
          .on('error', reject)
          .end('ping')
      })
    }
    try {
      assert.equal(await send('hook.example'), 'POST ping')
      await assert.rejects(send('other.example'), /not public \(loopback\)/)
      await assert.rejects(send('127.0.0.1'), /not public \(loopback\)/)
    } finally {
      server.close()
    }
  })

  it('leave no connection behind when the work is given up while they connect', { timeout: 60_000 }, async () => {
    const server = createTcpServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const guard = { requireAddresses: async () => [{ address: '127.0.0.1', family: 4 as const }] }
    const stop = new AbortController()
    const { https: agent } = createGuardedAgents({ guard, connectMs: 600_000, signal: stop.signal })
    // The server never answers the handshake: the connection exists but is not open yet.
    const closed = new Promise<void>((resolve) => {
      server.once('connection', (socket) => {
        socket.resume().once('close', resolve)
        stop.abort(new Error('the job was cancelled'))
      })
    })
    const sending = secureRequest({ host: 'a.example', port, agent })
    const failed = new Promise((resolve) => sending.on('error', resolve))
    sending.end()
    assert.match(String(await failed), /the job was cancelled/)
    await closed
    server.close()
  })
})
