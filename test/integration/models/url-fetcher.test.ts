import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { openUrlFixture, type UrlFixture } from './url-fixture.ts'

describe('a URL fetcher', () => {
  let fixture: UrlFixture
  before(async () => {
    fixture = await openUrlFixture()
  })
  after(() => fixture.close())

  /** Fetches from a new server with this listener. */
  async function fetchFrom(listener: RequestListener, path = '/file.txt') {
    const port = await fixture.serve(listener)
    return fixture.fetch(`http://files.example:${port}${path}`, [port])
  }
  async function failFrom(listener: RequestListener, options: Parameters<UrlFixture['fail']>[2] = {}) {
    const port = await fixture.serve(listener)
    return fixture.fail(`http://files.example:${port}/file.txt`, [port], options)
  }

  it('saves the response, with its name and type as hints', async () => {
    const fetched = await fetchFrom((_request, response) => {
      response.setHeader('Content-Type', 'text/plain; charset=ISO-8859-1')
      response.setHeader('Content-Disposition', 'attachment; filename="../a.txt"')
      response.end('hello')
    }, '/x/y?z#fragment')
    assert.equal(fetched.content.toString(), 'hello')
    assert.match(fetched.finalUrl, /^http:\/\/files\.example:\d+\/x\/y\?z$/)
    const { bytes, contentType, charset, filename } = fetched
    assert.deepEqual(
      { bytes, contentType, charset, filename },
      { bytes: 5, contentType: 'text/plain', charset: 'iso-8859-1', filename: 'a.txt' },
    )
  })

  it('saves an empty body and says nothing where the server says nothing', async () => {
    const { bytes, contentType, filename } = await fetchFrom((_request, response) => response.end(), '/')
    assert.deepEqual({ bytes, contentType, filename }, { bytes: 0, contentType: null, filename: null })
  })

  it('sends a GET with its own few headers and nothing else, also after a redirect', async () => {
    const seen: IncomingHttpHeaders[] = []
    await fetchFrom((request, response) => {
      seen.push(request.headers)
      assert.equal(request.method, 'GET')
      if (seen.length > 1) return void response.end('x')
      response.writeHead(302, { location: '/next', 'set-cookie': 'a=b', 'accept-ch': 'DPR' }).end()
    })
    for (const { host, ...headers } of seen) {
      assert.match(String(host), /^files\.example:\d+$/)
      assert.deepEqual(headers, {
        'user-agent': 'Recollect',
        accept: '*/*',
        'accept-encoding': 'identity',
        connection: 'close',
      })
    }
    assert.equal(seen.length, 2)
  })

  it('unpacks unrequested compression', async () => {
    const text = 'compressed '.repeat(1000)
    for (const [encoding, body] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
    ] as const) {
      const fetched = await fetchFrom((_request, response) =>
        response.setHeader('Content-Encoding', encoding).end(body),
      )
      assert.equal(fetched.content.toString(), text)
      assert.equal(fetched.bytes, text.length)
    }
  })

  it('follows five redirects of every kind and no sixth', async () => {
    const port = await fixture.serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) return void response.end('there')
      response.writeHead([301, 302, 303, 307, 308][left % 5] ?? 302, { location: `${left - 1}` }).end()
    })
    const { content, finalUrl } = await fixture.fetch(`http://files.example:${port}/5`, [port])
    assert.equal(content.toString(), 'there')
    assert.match(finalUrl, /\/0$/)
    assert.match(
      await fixture.fail(`http://files.example:${port}/6`, [port]),
      /^url_fetch_failed: .+ redirects more than 5 times/,
    )
  })

  it('ends a circle of redirects', async () => {
    const outcome = await failFrom((_request, response) => response.writeHead(302, { location: '/file.txt' }).end())
    assert.match(outcome, /^url_fetch_failed: .+ redirects more than 5 times/)
  })

  for (const status of [201, 204, 206, 300, 304, 401, 403, 404, 410, 429, 500, 503]) {
    it(`fails on ${status} and names the status, not the response text`, async () => {
      const outcome = await failFrom((_request, response) => response.writeHead(status, 'Secret').end())
      assert.equal(outcome, `url_fetch_failed: The resource could not be downloaded: the server answered ${status}.`)
    })
  }

  it('fails on a redirect without a valid target URL', async () => {
    assert.match(await failFrom((_request, response) => response.writeHead(302).end()), /the server answered 302/)
    const outcome = await failFrom((_request, response) => response.writeHead(302, { location: '' }).end())
    assert.match(outcome, /^url_fetch_failed: .+ redirects to an invalid URL/)
  })

  it('takes a resource of exactly the limit, and refuses one byte more', async () => {
    const serveBytes = (bytes: number) => fixture.serve((_request, response) => response.end(Buffer.alloc(bytes)))
    const [exact, more] = [await serveBytes(1000), await serveBytes(1001)]
    assert.equal((await fixture.fetch(`http://files.example:${exact}/`, [exact], { maxBytes: 1000 })).bytes, 1000)
    const outcome = await fixture.fail(`http://files.example:${more}/`, [more], { maxBytes: 1000 })
    assert.equal(outcome, 'url_too_large: The resource is larger than 1000 bytes.')
  })

  it('ends a body without an end at the limit', async () => {
    const outcome = await failFrom((_request, response) => {
      const piece = Buffer.alloc(64 * 1024)
      const send = (): void => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', send)
      send()
    })
    assert.equal(outcome, 'url_too_large: The resource is larger than 1 MB.')
  })

  it('aborts a compressed bomb at the limit of unpacked bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const brotli = brotliCompressSync(Buffer.alloc(20 * 1024 * 1024), { params: { 1: 1 } })
    for (const [encoding, body] of [
      ['gzip', bomb],
      ['x-gzip', bomb],
      ['br', brotli],
    ] as const) {
      const outcome = await failFrom((_request, response) => response.setHeader('Content-Encoding', encoding).end(body))
      assert.equal(outcome, 'url_too_large: The resource is larger than 1 MB.')
    }
  })

  it('refuses other and nested compressions, and damaged ones', async () => {
    for (const encoding of ['gzip, gzip', 'compress', 'zstd', 'x']) {
      const outcome = await failFrom((_request, response) => response.setHeader('Content-Encoding', encoding).end('x'))
      assert.match(outcome, /^url_fetch_failed: .+ its compression is not supported/)
    }
    for (const body of [Buffer.from('no gzip'), gzipSync('x'.repeat(1000)).subarray(0, 15)]) {
      const outcome = await failFrom((_request, response) => response.setHeader('Content-Encoding', 'gzip').end(body))
      assert.match(outcome, /^url_fetch_failed: .+ compressed content is damaged/)
    }
  })

  it('fails when the server is silent before the headers, within the body, or drips without end', async () => {
    const silent = await failFrom(() => undefined, { timeouts: { headersMs: 100 } })
    assert.match(silent, /^url_fetch_failed: .+ did not answer within 0.1 seconds/)
    const stopped = await failFrom((_request, response) => response.write('x'), { timeouts: { idleMs: 100 } })
    assert.match(stopped, /^url_fetch_failed: .+ no data was received for 0.1 seconds/)
    const dripping = await failFrom(
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
      },
      { timeouts: { totalMs: 400 } },
    )
    assert.match(dripping, /^url_fetch_failed: .+ took longer than 0.4 seconds/)
  })

  it('counts the time of redirects together', async () => {
    const outcome = await failFrom(
      (_request, response) => void setTimeout(() => response.writeHead(302, { location: '/a' }).end(), 60),
      { timeouts: { totalMs: 100 } },
    )
    assert.match(outcome, /^url_fetch_failed: .+ took longer than 0.1 seconds/)
  })

  it('fails with the reason of the signal, and leaves no file', async () => {
    const port = await fixture.serve((_request, response) => response.write('x'))
    const stop = new AbortController()
    const fetching = fixture.fetch(`http://files.example:${port}/`, [port], {}, stop.signal)
    setTimeout(() => stop.abort(new Error('the job was cancelled')), 50)
    await assert.rejects(fetching, /the job was cancelled/)
    await assert.rejects(
      fixture.fetch(`http://files.example:${port}/`, [port], {}, stop.signal),
      /the job was cancelled/,
    )
    assert.match(await fixture.fail('http://files.example:1/'), /^url_not_allowed/)
  })

  it('leaves a file alone that was there', async () => {
    const port = await fixture.serve((_request, response) => response.end('new'))
    await writeFile(fixture.path, 'old')
    await assert.rejects(fixture.fetch(`http://files.example:${port}/`, [port]), /EEXIST/)
    assert.equal(await readFile(fixture.path, 'utf8'), 'old')
    await rm(fixture.path)
  })

  it('fails without a listener and for unknown names', async () => {
    const server = await fixture.serveTcp((socket) => socket.destroy())
    assert.match(await fixture.fail(`http://files.example:${server}/`, [server]), /the connection was closed early/)
    const gone = async () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
    assert.match(
      await fixture.fail('http://gone.example/', [], { resolve: gone }),
      /^url_fetch_failed: .+ host was not found/,
    )
    assert.match(
      await fixture.fail('http://gone.example/', [], { resolve: async () => [] }),
      /^url_fetch_failed: .+ host was not found/,
    )
    const closed = await closedPort()
    assert.match(
      await fixture.fail(`http://files.example:${closed}/`, [closed]),
      /^url_fetch_failed: .+ cannot be reached/,
    )
  })

  it('gives up a look-up that takes too long', async () => {
    const outcome = await fixture.fail('http://slow.example/', [], {
      resolve: () => new Promise(() => undefined),
      timeouts: { connectMs: 50 },
    })
    assert.match(outcome, /^url_fetch_failed: .+ the connection timed out after 0.05 seconds/)
  })
})

describe('a URL fetcher before a server that breaks the rules of HTTP', () => {
  let fixture: UrlFixture
  before(async () => {
    fixture = await openUrlFixture()
  })
  after(() => fixture.close())

  const answers: readonly (readonly [string, string, RegExp])[] = [
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', /not valid HTTP/],
    ['huge headers', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(20_000)}\r\n\r\nx`, /response headers are too large/],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(10_000)}`, /response headers are too large/],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx', /not valid HTTP/],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', /not valid HTTP/],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /not valid HTTP/,
    ],
    ['a length beyond its body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nxx', /connection was closed early/],
    ['a length beyond the limit', 'HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nxx', /^url_too_large/],
    [
      'a chunk that is cut off',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nxx',
      /connection was closed early/,
    ],
    [
      'a chunk of no size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nxx',
      /not valid HTTP|connection was closed early/,
    ],
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      /the server answered 101/,
    ],
    ['nothing', '', /connection was closed early/],
    ['a status alone', 'HTTP/1.1 200 OK\r\n', /connection was closed early/],
  ]
  for (const [what, answer, expected] of answers) {
    it(`fails clearly on ${what}`, async () => {
      const port = await fixture.serveTcp((socket) => socket.once('data', () => socket.end(answer)))
      assert.match(await fixture.fail(`http://files.example:${port}/`, [port]), expected)
    })
  }

  it('reads no further than the length that was named', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
    const port = await fixture.serveTcp((socket) => socket.once('data', () => socket.end(answer)))
    assert.equal((await fixture.fetch(`http://files.example:${port}/`, [port])).content.toString(), 'ok')
  })

  it('is not kept by interim answers without end', async () => {
    const port = await fixture.serveTcp((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const outcome = await fixture.fail(`http://files.example:${port}/`, [port], { timeouts: { headersMs: 150 } })
    assert.match(outcome, /did not answer within 0.15 seconds/)
  })
})

async function closedPort(): Promise<number> {
  const other = await openUrlFixture()
  const port = await other.serveTcp((socket) => socket.destroy())
  await other.close()
  return port
}
