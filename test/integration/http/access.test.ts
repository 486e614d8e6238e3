import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WRONG_KEYS_PER_MINUTE } from '../../../src/http/callers/authenticate.ts'
import { ROUTES } from '../../../src/http/routes/routes.ts'
import { DOCUMENT_ID, JOB_ID, MEMORY_ID, MEMORY_KEY, ORGANIZATION_CALLER, ORGANIZATION_KEY } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

test('every endpoint but health, openapi, the root and the pages for browsers needs a key', async (t) => {
  const server = await startServer(t)
  const open = []
  for (const { method, url } of ROUTES) {
    const response = await server.send(method, url.replace(/:\w+/g, 'x'), { headers: { authorization: '' } })
    if (response.status !== 401) open.push(url)
    else assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  }
  assert.deepEqual(open, [
    ...['/health', '/health/ready', '/', '/openapi.json'],
    ...['/console', '/console/:file', '/docs', '/docs/:page', '/docs/:folder/:page'],
    ...['/auth/sign-in', '/auth/callback', '/auth/sign-out'],
  ])
})

test('a key is asked for before the body is read', async (t) => {
  const server = await startServer(t)
  const answer = await server.sendRaw(
    `POST /v1/memories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 401 /)
})

test('a memory-scoped key works under its memory and nowhere else', async (t) => {
  const server = await startServer(t)
  const ask = async (method: string, path: string) => {
    const response = await server.send(method, path, { headers: { authorization: `Bearer ${MEMORY_KEY}` } })
    return response.status < 300 ? 'ok' : (await readError(response)).code
  }
  assert.equal(await ask('GET', `/v1/memories/${MEMORY_ID}`), 'ok')
  assert.equal(await ask('GET', `/v1/memories/${MEMORY_ID}/documents/${DOCUMENT_ID}`), 'ok')
  assert.equal(await ask('DELETE', `/v1/memories/${MEMORY_ID}/documents/${DOCUMENT_ID}`), 'ok')
  assert.equal(await ask('GET', '/v1/memories'), 'ok')
  assert.equal(await ask('GET', '/v1/keys/self'), 'ok')
  assert.equal(await ask('GET', `/v1/jobs/${JOB_ID}`), 'ok')
  for (const [method, path] of [
    ['GET', '/v1/memories/mem_other'],
    ['GET', '/v1/memories/mem_other/documents'],
    ['POST', '/v1/memories/mem_other/find'],
  ] as const) {
    assert.equal(await ask(method, path), 'memory_not_found')
  }
  for (const [method, path] of [
    ['DELETE', `/v1/memories/${MEMORY_ID}`],
    ['POST', '/v1/memories'],
    ['GET', '/v1/account'],
    ['GET', '/v1/projects'],
    ['GET', '/v1/keys'],
    ['POST', '/v1/keys'],
    ['POST', '/v1/ask-once'],
  ] as const) {
    assert.equal(await ask(method, path), 'scope_forbidden')
  }
})

test('wrong keys of an address are limited, its right key is not', async (t) => {
  const server = await startServer(t)
  const guess = () => server.send('GET', '/v1/account', { headers: { authorization: 'Bearer wrong' } })
  for (let tries = 0; tries < WRONG_KEYS_PER_MINUTE; tries += 1) assert.equal((await guess()).status, 401)
  let refused = await guess()
  // A minute may have ended meanwhile.
  for (let tries = 0; tries < WRONG_KEYS_PER_MINUTE && refused.status === 401; tries += 1) refused = await guess()
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await server.send('GET', '/v1/account')).status, 200)
})

test('the rate limit applies to each key, and headers report the rest', async (t) => {
  const server = await startServer(t, { rateLimitPerMinute: 2 })
  const first = await server.send('GET', '/v1/memories')
  assert.equal(first.headers.get('ratelimit-policy'), '"requests";q=2;w=60')
  assert.match(first.headers.get('ratelimit') ?? '', /^"requests";r=1;t=\d+$/)
  await server.send('GET', '/v1/memories')
  const refused = await server.send('GET', '/v1/memories')
  assert.deepEqual([refused.status, (await readError(refused)).code], [429, 'rate_limited'])
  assert.ok(refused.headers.get('retry-after'))
  const other = await server.send('GET', '/v1/memories', { headers: { authorization: `Bearer ${MEMORY_KEY}` } })
  assert.equal(other.status, 200)
  assert.equal((await server.send('GET', '/health')).headers.get('ratelimit'), null)
})

test('with keys switched off every request belongs to the one organization', async (t) => {
  const server = await startServer(t, { anonymous: { ...ORGANIZATION_CALLER, keyId: null, keyName: null } })
  assert.equal((await server.send('GET', '/v1/account', { headers: { authorization: '' } })).status, 200)
})

test('no key, query or body is in the log', async (t) => {
  const server = await startServer(t)
  await server.sendJson('POST', `/v1/memories/${MEMORY_ID}/find?secret=1`, { query: 'secret' })
  await server.send('GET', '/v1/account?key=secret', { headers: { 'x-api-key': 'rcl_secret' } })
  const lines = JSON.stringify(server.logged)
  assert.equal(lines.includes('secret') || lines.includes(ORGANIZATION_KEY), false)
  assert.deepEqual(
    server.logged.map(({ facts }) => [facts['route'], facts['status']]),
    [
      ['/v1/memories/:id/find', 200],
      ['/v1/account', 401],
    ],
  )
})
