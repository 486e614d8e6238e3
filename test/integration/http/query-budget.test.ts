import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUERY_BUDGET } from '../../../src/limits.ts'
import { MEMORY_ID, MEMORY_KEY } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const FIND = `/v1/memories/${MEMORY_ID}/find`
/** Memory for four such requests at a time, of which one key may use two. */
const LARGE = { query: 'x'.repeat(1000), topK: 100 }
const TOTAL = 4 * (QUERY_BUDGET.queryBytes + 1000 * QUERY_BUDGET.characterBytes + 100 * QUERY_BUDGET.itemBytes.plain)

test('a key at its query budget gets 429, others and health are answered, and the key is answered afterwards', async (t) => {
  const server = await startServer(t, { queryBudgetBytes: TOTAL })
  const begun = Promise.withResolvers<void>()
  let count = 0
  const end = Promise.withResolvers<void>()
  const { find } = server.services.search
  let isHeld = true
  server.services.search.find = async (...given) => {
    count += 1
    if (count === 2) begun.resolve()
    if (isHeld) await end.promise
    return find(...given)
  }
  const held = [server.sendJson('POST', FIND, LARGE), server.sendJson('POST', FIND, LARGE)]
  await begun.promise
  isHeld = false

  try {
    const refused = await server.sendJson('POST', FIND, LARGE)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    const { status, code, message } = await readError(refused)
    assert.deepEqual([status, code], [429, 'rate_limited'])
    assert.match(String(message), /this API key/)
    assert.equal((await server.sendJson('POST', FIND, LARGE, { authorization: `Bearer ${MEMORY_KEY}` })).status, 200)
    assert.equal((await server.send('GET', '/health')).status, 200)
  } finally {
    end.resolve()
  }
  for (const { status } of await Promise.all(held)) assert.equal(status, 200)
  assert.equal((await server.sendJson('POST', FIND, LARGE)).status, 200)
})

test('a refused query takes no budget', async (t) => {
  const server = await startServer(t, { queryBudgetBytes: TOTAL })
  for (let round = 0; round < 5; round += 1) {
    assert.equal((await server.sendJson('POST', FIND, { ...LARGE, options: { mode: 'none' } })).status, 400)
    assert.equal((await server.sendJson('POST', FIND, LARGE)).status, 200)
  }
})

test('an answer in events holds its query no longer than the events take to begin', async (t) => {
  const ask = { question: 'x'.repeat(1000), options: { maxContextChunks: 20 } }
  const asked = QUERY_BUDGET.queryBytes + 1000 * QUERY_BUDGET.characterBytes + 20 * QUERY_BUDGET.itemBytes.plain
  const server = await startServer(t, { queryBudgetBytes: 4 * asked })
  const end = Promise.withResolvers<void>()
  server.services.ask.streamAsk = async () =>
    (async function* () {
      yield { type: 'token' as const, text: 'begun' }
      await end.promise
    })()
  const headers = { accept: 'text/event-stream' }
  const streams: Response[] = []
  for (let count = 0; count < 6; count += 1) {
    streams.push(await server.sendJson('POST', `/v1/memories/${MEMORY_ID}/ask`, ask, headers))
  }
  end.resolve()
  for (const { status } of streams) assert.equal(status, 200)
  await Promise.all(streams.map((stream) => stream.text()))
})
