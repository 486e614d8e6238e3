import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import { MEMORY_ID } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const KEY = { 'idempotency-key': 'k1' }

test('the same request under the same key is done once and answered the same', async (t) => {
  const server = await startServer(t)
  const first = await server.sendJson('POST', '/v1/memories', { name: 'A' }, KEY)
  const again = await server.sendJson('POST', '/v1/memories', { name: 'A' }, KEY)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual([again.status, again.headers.get('location')], [first.status, first.headers.get('location')])
  assert.deepEqual(await again.json(), await first.json())
  assert.equal(server.calls.length, 1)
})

test('another body under the same key is refused', async (t) => {
  const server = await startServer(t)
  await server.sendJson('POST', '/v1/memories', { name: 'A' }, KEY)
  const { status, code } = await readError(await server.sendJson('POST', '/v1/memories', { name: 'B' }, KEY))
  assert.deepEqual([status, code], [422, 'idempotency_key_reused'])
})

test('a form is the same under another boundary, and different with another file', async (t) => {
  const server = await startServer(t)
  const upload = (content: string, boundary: string) =>
    server.send('POST', `/v1/memories/${MEMORY_ID}/documents`, {
      headers: { ...KEY, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
    })
  assert.equal((await upload('one', 'b1')).status, 200)
  assert.equal((await upload('one', 'b2')).headers.get('idempotent-replayed'), 'true')
  assert.equal((await upload('two', 'b1')).status, 422)
})

test('a repeat during the first request gets a conflict, and a server error can be retried', async (t) => {
  const server = await startServer(t)
  const { promise, reject } = Promise.withResolvers<never>()
  const entered = Promise.withResolvers<void>()
  const { create } = server.services.memories
  server.services.memories.create = () => {
    entered.resolve()
    return promise
  }
  const first = server.sendJson('POST', '/v1/memories', { name: 'A' }, KEY)
  await entered.promise
  const second = await readError(await server.sendJson('POST', '/v1/memories', { name: 'A' }, KEY))
  assert.deepEqual([second.status, second.code], [409, 'idempotency_in_progress'])
  reject(new ApiError('service_unavailable'))
  assert.equal((await first).status, 503)
  server.services.memories.create = create
  assert.equal((await server.sendJson('POST', '/v1/memories', { name: 'A' }, KEY)).status, 201)
})

test('a key that is empty or too long is refused', async (t) => {
  const server = await startServer(t)
  const refuse = async (key: string) =>
    (await readError(await server.sendJson('POST', '/v1/memories', { name: 'A' }, { 'idempotency-key': key }))).param
  assert.equal(await refuse('x'.repeat(256)), 'Idempotency-Key')
  assert.equal(await refuse(''), 'Idempotency-Key')
})
