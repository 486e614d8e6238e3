import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { startCachingProxy } from '../../../src/memory-file/caching-proxy.ts'
import { openDiskPages } from '../../../src/memory-file/disk-pages.ts'

describe('pages on the disk', () => {
  let directory = ''
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recollect-pages-'))
  })
  after(() => rm(directory, { recursive: true, force: true }))

  test('the most recently used pages stay within the limit, and an earlier process leaves none', async () => {
    await writeFile(join(directory, 'left'), 'x')
    const pages = await openDiskPages({ directory, maxBytes: 25, pageBytes: 10 })
    for (const name of ['a', 'b']) await pages.write(name, Buffer.from(`${name}123456789`))
    assert.equal(String(await pages.read('a', 0, 10)), 'a123456789')
    await pages.write('c', Buffer.from('c1234'))
    assert.equal(await pages.read('b', 0, 10), null)
    assert.equal(String(await pages.read('a', 3, 5)), '34')
    assert.equal(String(await pages.read('c', 0, 5)), 'c1234')
    assert.equal(await pages.read('c', 0, 6), null)
    await pages.close()
    assert.deepEqual(await readdir(directory), ['pages'])
    assert.ok((await stat(join(directory, 'pages'))).size <= 25)
  })

  test('unread pages are overwritten', async () => {
    const pages = await openDiskPages({ directory, maxBytes: 1000, pageBytes: 10 })
    await pages.write('a', Buffer.from('0123456789'))
    await pages.evictUnused(60_000)
    assert.notEqual(await pages.read('a', 0, 10), null)
    await pages.evictUnused(-1)
    assert.equal(await pages.read('a', 0, 10), null)
    await pages.close()
    assert.ok((await readFile(join(directory, 'pages'))).equals(Buffer.alloc(10)))
  })

  test('a page whose slot is reused during a read is absent, never another page', async () => {
    const pages = await openDiskPages({ directory, maxBytes: 10, pageBytes: 10 })
    await pages.write('0', Buffer.from('0'.repeat(10)))
    for (let round = 1; round < 200; round += 1) {
      const before = String(round - 1).at(-1) ?? ''
      const [found] = await Promise.all([
        pages.read(String(round - 1), 0, 10),
        pages.write(String(round), Buffer.from((String(round).at(-1) ?? '').repeat(10))),
      ])
      assert.ok(found === null || String(found) === before.repeat(10), `${round}: ${found}`)
    }
    await pages.close()
  })
})

describe('the proxy between Lance and a store', () => {
  const FILE = '/bucket/p/memories/mem.lance/data/1.lance'

  async function ask(
    method: string,
    path: string,
    over: { password?: string; host?: string; headers?: Record<string, string>; body?: string } = {},
  ) {
    const seen: string[] = []
    const store = createServer(async (incoming, response) => {
      const body = (await buffer(incoming)).toString('utf8')
      seen.push(`${incoming.method} ${incoming.url} ${incoming.headers['x-sent'] ?? ''} ${body}`)
      assert.equal(incoming.headers['proxy-authorization'], undefined)
      response.writeHead(200, { 'x-answered': 'yes' }).end('from the store')
    }).listen(0, '127.0.0.1')
    await once(store, 'listening')
    const address = store.address()
    const endpoint = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
    const ranges: string[] = []
    const proxy = await startCachingProxy({
      endpoint,
      pathPrefix: '/bucket/',
      password: 'word',
      readRange: async (key, start, end) => {
        ranges.push(`${key} ${start}-${end}`)
        return { content: Buffer.from('kept'), size: 100, etag: '"e"', modified: 'Sat, 21 Nov 2026 12:00:00 GMT' }
      },
    })
    const authorization = `Basic ${Buffer.from(`lance:${over.password ?? 'word'}`).toString('base64')}`
    const outgoing = request({
      host: '127.0.0.1',
      port: new URL(proxy.url).port,
      method,
      path: `http://${over.host ?? endpoint.host}${path}`,
      headers: { 'proxy-authorization': authorization, 'x-sent': 'signed', ...over.headers },
    })
    outgoing.end(over.body)
    const [response] = await once(outgoing, 'response')
    const body = (await buffer(response)).toString('utf8')
    await proxy.close()
    store.close()
    return { status: response.statusCode, headers: response.headers, body, seen, ranges }
  }

  test('a part of an immutable file comes from the cache', async () => {
    const { status, headers, body, seen, ranges } = await ask('GET', FILE, { headers: { range: 'bytes=10-13' } })
    assert.deepEqual([status, body, headers['content-range'], headers.etag], [206, 'kept', 'bytes 10-13/100', '"e"'])
    assert.deepEqual(ranges, ['p/memories/mem.lance/data/1.lance 10-13'])
    assert.deepEqual(seen, [])
  })

  test('everything else goes to the store as it is', async () => {
    const range = { range: 'bytes=10-13' }
    const others = [
      ['GET', FILE, {}],
      ['GET', '/bucket/p/memories/mem.lance/_versions/1.manifest', { headers: range }],
      ['GET', '/bucket?list-type=2&prefix=p', {}],
      ['PUT', FILE, { body: 'content', headers: range }],
      ['DELETE', FILE, {}],
    ] as const
    for (const [method, path, over] of others) {
      const { status, body, headers, seen, ranges } = await ask(method, path, over)
      assert.deepEqual([status, body, headers['x-answered']], [200, 'from the store', 'yes'])
      assert.deepEqual(seen, [`${method} ${path} signed ${'body' in over ? over.body : ''}`])
      assert.deepEqual(ranges, [])
    }
  })

  test('it requires its password and serves nothing else', async () => {
    const headers = { range: 'bytes=10-13' }
    assert.equal((await ask('GET', FILE, { password: 'other', headers })).status, 407)
    assert.equal((await ask('GET', FILE, { host: '127.0.0.1:1', headers })).status, 403)
  })
})
