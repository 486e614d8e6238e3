import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatModel, ChatPart } from '../models/chat-model.ts'
import type { ParserPool } from '../parsers/child/parser-pool.ts'
import type { DocumentReader } from '../services/reading/document-reader.ts'
import { meteredChatModel, meteredPool, meteredReader } from './metered.ts'

const REQUEST = { messages: [], maxOutputTokens: 1 }
const ANSWER = { text: 'yes', usage: { inputTokens: 1, outputTokens: 1, isEstimated: false }, isCut: false }

/** A model whose calls end as `work` does, and the recorded calls. */
function openModel(work: () => Promise<void>) {
  const counted: string[] = []
  const chat: ChatModel = {
    name: 'fake',
    provider: 'openai',
    contextTokens: 1,
    generate: async () => {
      await work()
      return ANSWER
    },
    generateObject: async () => ({ value: {}, usage: ANSWER.usage }),
    async *stream(): AsyncGenerator<ChatPart> {
      yield { type: 'text', text: 'y' }
      await work()
      yield { type: 'text', text: 'es' }
    },
    probe: async () => undefined,
  }
  const modelCalled = ({ model, outcome, seconds }: { model: string; outcome: string; seconds: number }) => {
    assert.ok(seconds >= 0)
    counted.push(`${model} ${outcome}`)
  }
  return { chat: meteredChatModel(chat, { modelCalled }), counted }
}

async function readAll(parts: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of parts) count += 1
  return count
}

test('a call is counted once by how it ended, and gives and throws what the model does', async () => {
  const good = openModel(async () => undefined)
  assert.deepEqual(await good.chat.generate(REQUEST), ANSWER)
  assert.equal(await readAll(good.chat.stream(REQUEST)), 2)
  assert.deepEqual(good.counted, ['chat ok', 'chat ok'])
  const bad = openModel(() => Promise.reject(new Error('gone')))
  await assert.rejects(bad.chat.generate(REQUEST), /gone/)
  await assert.rejects(readAll(bad.chat.stream(REQUEST)), /gone/)
  assert.deepEqual(bad.counted, ['chat failed', 'chat failed'])
})

test('what its caller gave up is no failure of the model', async () => {
  const { chat, counted } = openModel(() => Promise.reject(new Error('aborted')))
  await assert.rejects(chat.generate({ ...REQUEST, signal: AbortSignal.abort() }))
  for await (const _ of chat.stream(REQUEST)) break
  assert.deepEqual(counted, ['chat stopped', 'chat stopped'])
})

const METHODS = ['text', 'ocr', 'empty', 'failed', 'text']

test('each page is counted once by what became of it, whichever way it is read, and every event is passed on', async () => {
  async function* events() {
    yield { pageCount: METHODS.length }
    for (const [index, method] of METHODS.entries()) yield { page: { page: index + 1, method } }
  }
  const counted: string[] = []
  const reader = { read: events, recognize: events } as unknown as DocumentReader
  const metered = meteredReader(reader, { pageRead: (method) => counted.push(method) })
  const options = {} as Parameters<DocumentReader['read']>[2]
  const file = {} as Parameters<DocumentReader['read']>[0]
  const type = {} as Parameters<DocumentReader['read']>[1]
  let passed = 0
  for await (const _ of metered.read(file, type, options)) passed += 1
  assert.deepEqual([counted, passed], [METHODS, METHODS.length + 1])
  for await (const _ of metered.recognize([], { source: file, type }, options)) passed += 1
  assert.deepEqual([counted.length, passed], [2 * METHODS.length, 2 * METHODS.length + 2])
})

test('a task of a child is counted by its name and how it ended', async () => {
  const counted: string[] = []
  const run = (task: string) => (task === 'good' ? Promise.resolve(1) : Promise.reject(new Error('bad')))
  const pool = meteredPool({ run } as unknown as ParserPool, {
    taskEnded: ({ task, outcome }) => counted.push(`${task} ${outcome}`),
  })
  assert.equal(await pool.run('good', null), 1)
  await assert.rejects(pool.run('bad', null), /bad/)
  await assert.rejects(pool.run('late', null, { signal: AbortSignal.abort() }), /bad/)
  assert.deepEqual(counted, ['good ok', 'bad failed', 'late stopped'])
})
