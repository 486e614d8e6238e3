import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyRoomBytes } from '../../../src/http/body/body-room.ts'
import { MEMORY_ID } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const MB = 1024 * 1024
const DOCUMENTS = `/v1/memories/${MEMORY_ID}/documents`
const bodyOf = (megabytes: number) => ({ documents: [{ title: 'T', text: 'x'.repeat(megabytes * MB) }] })

test('a large body that does not fit beside those under way is 503, a small one is let in, and there is room again behind them', async (t) => {
  const server = await startServer(t, { bodyRoomBytes: 5 * MB })
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const { addTexts } = server.services.ingest
  server.services.ingest.addTexts = async (...given) => {
    begun.resolve()
    await end.promise
    return addTexts(...given)
  }
  const first = server.sendJson('POST', DOCUMENTS, bodyOf(4))
  await begun.promise

  const refused = await server.sendJson('POST', DOCUMENTS, bodyOf(4))
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const { status, code, message } = await readError(refused)
  assert.deepEqual([status, code], [503, 'service_unavailable'])
  assert.match(String(message), /larger than 5 MB together/)
  assert.equal((await server.sendJson('POST', '/v1/memories', { name: 'small' })).status, 201)

  end.resolve()
  assert.equal((await first).ok, true)
  assert.equal((await server.sendJson('POST', DOCUMENTS, bodyOf(4))).ok, true)
})

test('a body that is refused gives its room back', async (t) => {
  const server = await startServer(t, { bodyRoomBytes: 5 * MB })
  for (let round = 0; round < 3; round += 1) {
    const answer = await server.send('POST', DOCUMENTS, {
      headers: { 'content-type': 'application/json' },
      body: `{"documents": ${' '.repeat(4 * MB)}`,
    })
    assert.equal((await readError(answer)).code, 'malformed_json')
  }
  assert.equal((await server.sendJson('POST', DOCUMENTS, bodyOf(4))).ok, true)
})

test('one body of the largest has room anywhere, and six where there is much memory', () => {
  assert.deepEqual([512 * MB, 4096 * MB, 2 ** 40].map(bodyRoomBytes), [150 * MB, 256 * MB, 900 * MB])
})
