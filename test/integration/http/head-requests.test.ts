import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '../../../src/http/routes/routes.ts'
import { MEMORY_ID } from './fake-services.ts'
import { startServer } from './running-server.ts'

test('HEAD answers as GET does, without a body, and asks for a key as GET does', async (t) => {
  const server = await startServer(t)
  for (const { url } of ROUTES.filter(({ method, url }) => method === 'GET' && !url.startsWith('/v1/jobs/'))) {
    const path = url.replace(':id', MEMORY_ID)
    const get = await server.send('GET', path)
    const head = await server.send('HEAD', path)
    const length = head.headers.get('content-length')
    assert.deepEqual([head.status, length, await head.text()], [get.status, get.headers.get('content-length'), ''], url)
    await get.arrayBuffer()
  }
  assert.equal((await server.send('HEAD', '/v1/memories', { headers: { authorization: '' } })).status, 401)
})
