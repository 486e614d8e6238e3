import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ASK_ROUTES } from './ask.ts'

test('a stream without a reader stores no answer', async () => {
  const route = ASK_ROUTES.find(({ operationId }) => operationId === 'ask')
  const services = {
    search: { open: async () => {} },
    account: { countQuery: async () => {} },
    ask: { streamAsk: async () => [] },
  }
  const answer = await route?.handle({
    ...{ services, caller: {}, body: { question: 'Who?' }, params: { id: 'mem_1' } },
    ...{ headers: { accept: 'text/event-stream' }, signal: AbortSignal.abort(), warnings: [], reserveMemory: () => {} },
  } as never)
  assert.equal(await answer?.finalAnswer, null)
})
