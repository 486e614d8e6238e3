import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUERY_BUDGET } from '../../../src/limits.ts'
import { MEMORY_ID, MEMORY_KEY } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const FIND = `/v1/memories/${MEMORY_ID}/find`
/** Memory for four of these at a time, of which a key alone may have one. */
const LARGE = { query: 'x'.repeat(1000), topK: 100 }
const TOTAL = 4 * (QUERY_BUDGET.queryBytes + 1000 * QUERY_BUDGET.characterBytes + 100 * QUERY_BUDGET.itemBytes.plain)

test('a key whose queries hold as much as it may is told to wait, others and health are answered meanwhile, and then is answered again', async (t) => {
  const server = await startServer(t, { queryBudgetBytes: TOTAL })
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const { find } = server.services.search
  let isHeld = true
  server.services.search.find = async (...given) => {
    begun.resolve()
    if (isHeld) await end.promise
    return find(...given)
  }
  const first = server.sendJson('POST', FIND, LARGE)
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
  assert.equal((await first).status, 200)
  assert.equal((await server.sendJson('POST', FIND, LARGE)).status, 200)
})

test('what a refused query would have taken is not taken', async (t) => {
  const server = await startServer(t, { queryBudgetBytes: TOTAL })
  for (let round = 0; round < 5; round += 1) {
    assert.equal((await server.sendJson('POST', FIND, { ...LARGE, options: { mode: 'none' } })).status, 400)
    assert.equal((await server.sendJson('POST', FIND, LARGE)).status, 200)
  }
})
