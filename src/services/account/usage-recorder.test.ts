import assert from 'node:assert/strict'
import test from 'node:test'
import type { AskEvent } from '../ask/ask-service.ts'
import type { Caller } from '../caller.ts'
import type { Services } from '../services.ts'
import { countAdded, countedServices, type UsageScope } from './usage-recorder.ts'

const caller = { organizationId: 'org_1', keyId: 'key_1' } as Caller

function row(facts: object) {
  return { source_type: 'file' as const, ocr_pages: 0, page_count: null, pages: '[{"method":"text"}]', ...facts }
}

test('pages are counted by how they were read, and corrections not at all', () => {
  const pages = JSON.stringify(['text', 'ocr', 'text', 'empty', 'failed'].map((method) => ({ method })))
  const scanned = row({ page_count: 5, ocr_pages: 1, pages })
  const documents = [scanned, row({}), row({ source_type: 'correction' })].map((one) => ({ row: one }))
  assert.deepEqual(countAdded({ documents }), { documents_added: 2, pages_recognized: 1, pages_with_text: 2 })
})

test('of a partial document that is read again, only the new pages are counted', () => {
  const again = row({ page_count: 3, ocr_pages: 3, pages: '[]' })
  const before = row({ page_count: 3, ocr_pages: 1, pages: '[]' })
  const counted = countAdded({ documents: [{ row: again }], readAgain: [before] })
  assert.deepEqual(counted, { documents_added: 0, pages_recognized: 2, pages_with_text: 0 })
})

test('a stream is counted when it is complete, and a failed question not', async () => {
  const recorded: [UsageScope, string[]][] = []
  const usage = { record: (scope: UsageScope, counts: object) => void recorded.push([scope, Object.keys(counts)]) }
  async function* answer(): AsyncGenerator<AskEvent<never>> {
    yield { type: 'token', text: 'No' }
    yield { type: 'done', answer: { answered: false } as never }
  }
  const ask = { askOnce: () => Promise.reject(new Error('no model')), streamAskOnce: async () => answer() }
  const services = countedServices(usage, { ask, search: {}, extract: {} } as unknown as Services)
  const request = [caller, { question: 'Why?', content: '' } as never, new AbortController().signal] as const
  await assert.rejects(services.ask.askOnce(...request), /no model/)
  for await (const event of await services.ask.streamAskOnce(...request)) if (event.type === 'token') break
  assert.deepEqual(recorded, [])
  for await (const _ of await services.ask.streamAskOnce(...request));
  const scope = { organizationId: 'org_1', memoryId: null, keyId: 'key_1' }
  assert.deepEqual(recorded, [[scope, ['ask_ms_2', 'asks_declined']]])
})
