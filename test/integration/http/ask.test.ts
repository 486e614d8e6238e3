import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEMORY_ID } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const ASK = `/v1/memories/${MEMORY_ID}/ask`
const ASK_ONCE = '/v1/ask-once'
const DEFAULTS = { model: null, maxContextChunks: 10, minConfidence: undefined, includeSources: false }

test('a question reaches the service with the defaults of the API, counted once', async (t) => {
  const { sendJson, calls } = await startServer(t)
  assert.equal((await sendJson('POST', ASK, { question: 'Who?' })).status, 200)
  assert.deepEqual(calls, [['account.countQuery'], ['ask.ask', { question: 'Who?', ...DEFAULTS, filter: null }]])
})

test('a question over a text reaches the service with the text, counted once', async (t) => {
  const { sendJson, calls } = await startServer(t)
  assert.equal((await sendJson('POST', ASK_ONCE, { question: 'Who?', content: 'Ann.' })).status, 200)
  assert.deepEqual(calls, [['account.countQuery'], ['ask.askOnce', { question: 'Who?', content: 'Ann.', ...DEFAULTS }]])
})

test('options reach the service, and unknown ones give a warning', async (t) => {
  const { sendJson, calls } = await startServer(t)
  const asked = { model: 'any model', maxContextChunks: 100, minConfidence: 0.8, includeSources: true }
  const { model, ...options } = asked
  const bodies: readonly [string, object][] = [
    [ASK, { question: 'q', options: { ...asked, colour: 1 } }],
    [ASK_ONCE, { question: 'q', content: 'c', model, options: { ...options, colour: 1 } }],
  ]
  for (const [path, body] of bodies) {
    const { warnings, requestedModel } = (await (await sendJson('POST', path, body)).json()) as {
      warnings: { param: string }[]
      requestedModel: string
    }
    assert.deepEqual([warnings.map(({ param }) => param), requestedModel], [['options.colour'], 'any model'])
    const { filter = null, ...reached } = (calls.at(-1)?.[1] ?? {}) as { filter?: null }
    assert.deepEqual([filter, { ...reached, content: 0 }], [null, { question: 'q', content: 0, ...asked }])
  }
})

test('an invalid question is refused with its fault and costs no query', async (t) => {
  const { sendJson, calls } = await startServer(t)
  const cases: readonly [string, object, string][] = [
    [ASK, {}, 'question'],
    [ASK, { question: ' ' }, 'question'],
    [ASK, { question: 'x'.repeat(20_001) }, 'question'],
    [ASK, { question: 'q', options: { maxContextChunks: 0 } }, 'options.maxContextChunks'],
    [ASK, { question: 'q', options: { maxContextChunks: 101 } }, 'options.maxContextChunks'],
    [ASK, { question: 'q', options: { maxContextChunks: 1.5 } }, 'options.maxContextChunks'],
    [ASK, { question: 'q', options: { minConfidence: 1.1 } }, 'options.minConfidence'],
    [ASK_ONCE, { question: 'q', content: 'c', options: { minConfidence: -1 } }, 'options.minConfidence'],
    [ASK, { question: 'q', options: { includeSources: 'perhaps' } }, 'options.includeSources'],
    [ASK, { question: 'q', options: { model: 4 } }, 'options.model'],
    [ASK_ONCE, { question: 'q' }, 'content'],
    [ASK_ONCE, { question: 'q', content: ['c'] }, 'content'],
    [ASK_ONCE, { question: 'q', content: ' \n' }, 'content'],
    [ASK_ONCE, { question: 'q', content: 'c', model: 4 }, 'model'],
  ]
  for (const [path, body, param] of cases) {
    const response = await sendJson('POST', path, body)
    assert.equal(response.status, 400, `${param}: ${JSON.stringify(body).slice(0, 80)}`)
    assert.equal((await readError(response)).param, param)
  }
  assert.deepEqual(calls, [])
})

test('a question of a memory that is not there is a 404 and costs no query', async (t) => {
  const { sendJson, calls } = await startServer(t)
  const response = await sendJson('POST', '/v1/memories/mem_other/ask', { question: 'q' })
  assert.equal((await readError(response)).code, 'memory_not_found')
  assert.deepEqual(calls, [])
})

test('an MCP tool answers without streaming, even if the client asks for events', async (t) => {
  const { sendJson, calls } = await startServer(t)
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  const params = { name: 'ask', arguments: { question: 'Who?', memory: MEMORY_ID } }
  for (const accept of ['text/event-stream, application/json', 'application/json, text/event-stream']) {
    const answer = await sendJson('POST', '/mcp', { ...message, params }, { accept })
    const { result } = (await answer.json()) as { result: { isError?: boolean; structuredContent?: object } }
    assert.deepEqual([answer.status, result.isError ?? false], [200, false], `${accept}: ${JSON.stringify(result)}`)
    assert.equal(calls.at(-1)?.[0], 'ask.ask')
  }
})
