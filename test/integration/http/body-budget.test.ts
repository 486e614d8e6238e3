import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MEMORY_ID, MEMORY_KEY, ORGANIZATION_KEY } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const MB = 1024 * 1024
const DOCUMENTS = `/v1/memories/${MEMORY_ID}/documents`
const BUDGET = { smallBytes: MB, largeBytes: 5 * MB, keyBytes: 5 * MB }
const bodyOf = (megabytes: number) => ({ documents: [{ title: 'T', text: 'x'.repeat(megabytes * MB) }] })

test('a large body beyond the budget is 503, a small one is accepted, and the budget is released afterwards', async (t) => {
  const server = await startServer(t, { bodyBudget: BUDGET })
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
  assert.match(String(message), /use all memory/)
  assert.equal((await server.sendJson('POST', '/v1/memories', { name: 'small' })).status, 201)

  end.resolve()
  assert.equal((await first).ok, true)
  assert.equal((await server.sendJson('POST', DOCUMENTS, bodyOf(4))).ok, true)
})

test('a refused body releases its budget', async (t) => {
  const server = await startServer(t, { bodyBudget: BUDGET })
  for (let round = 0; round < 3; round += 1) {
    const answer = await server.send('POST', DOCUMENTS, {
      headers: { 'content-type': 'application/json' },
      body: `{"documents": ${' '.repeat(4 * MB)}`,
    })
    assert.equal((await readError(answer)).code, 'malformed_json')
  }
  assert.equal((await server.sendJson('POST', DOCUMENTS, bodyOf(4))).ok, true)
})

test('a body over the limit of its endpoint is 413 even with enough budget, also without a length', async (t) => {
  const server = await startServer(t, { bodyBudget: { ...BUDGET, largeBytes: 4 * MB } })
  const head = `POST /v1/memories/${MEMORY_ID}/find HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: application/json\r\n`
  const chunk = `${(1 * MB).toString(16)}\r\n${' '.repeat(1 * MB)}\r\n`
  const answer = await server.sendRaw(
    `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}0\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 413 .*"code":"body_too_large"/s)
})

test('a client that leaves or stalls within a body releases its budget', async (t) => {
  const server = await startServer(t, { bodyBudget: BUDGET, bodyIdleTimeoutMs: 300 })
  const head = `POST ${DOCUMENTS} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: application/json\r\n`
  const half = `${head}Content-Length: ${5 * MB - 1}\r\n\r\n${' '.repeat(4 * MB)}`
  const leaving = connect(server.port, '127.0.0.1')
  await new Promise<void>((resolve) => void leaving.write(half, () => resolve()))
  leaving.destroy()
  // The release is noticed a moment later.
  while (!(await server.sendJson('POST', DOCUMENTS, bodyOf(4))).ok) await nextTurn()
  assert.match(await server.sendRaw(half), /^HTTP\/1\.1 504 /)
  assert.equal((await server.sendJson('POST', DOCUMENTS, bodyOf(4))).ok, true)
})

test('a body with an excessive length is refused before it uses the budget', async (t) => {
  const server = await startServer(t, { bodyBudget: BUDGET })
  const head = `POST ${DOCUMENTS} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: application/json\r\n`
  const sender = connect(server.port, '127.0.0.1')
  sender.write(`${head}Content-Length: ${6 * MB}\r\n\r\n{`)
  const [answer] = await once(sender, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 503 /)
  sender.destroy()
})

test('the room of a stream is given back when it has ended', async (t) => {
  const server = await startServer(t, { bodyBudget: BUDGET })
  const end = Promise.withResolvers<void>()
  server.services.ask.streamAskOnce = async () => {
    await Promise.resolve()
    return (async function* () {
      yield { type: 'token' as const, text: 'One' }
      await end.promise
    })()
  }
  const asked = { question: 'Who?', content: 'x'.repeat(4 * MB) }
  const stream = await server.sendJson('POST', '/v1/ask-once', asked, { accept: 'text/event-stream' })
  assert.equal(stream.status, 200)
  assert.equal((await readError(await server.sendJson('POST', DOCUMENTS, bodyOf(4)))).code, 'service_unavailable')
  end.resolve()
  await stream.text()
  assert.equal((await server.sendJson('POST', DOCUMENTS, bodyOf(4))).ok, true)
})

/**
 * Opens connections that each send only these bytes; `answers` collects the beginnings of the
 * responses.
 */
async function holdBodies(port: number, count: number, bytes: string): Promise<{ answers: string[]; end(): void }> {
  const answers: string[] = []
  const sockets: Socket[] = []
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', (data) => answers.push(String(data)))
    await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()))
  }
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { answers, end }
}

const begin = (path: string, type: string, rest: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${MEMORY_KEY}\r\nContent-Type: ${type}\r\nContent-Length: 999999\r\n\r\n${rest}`
const FIELD = '--b\r\nContent-Disposition: form-data; name="other"\r\n\r\n'
const UNFINISHED = {
  'small JSON': begin(DOCUMENTS, 'application/json', `{"documents":[{"text":"${'x'.repeat(150_000)}`),
  'bytes of MCP': begin('/mcp', 'application/json', `{"params":"${'x'.repeat(150_000)}`),
  'fields of a form': begin(DOCUMENTS, 'multipart/form-data; boundary=b', `${FIELD}${'x'.repeat(50_000)}\r\n${FIELD}x`),
  'a file of a form': begin(
    DOCUMENTS,
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'x'.repeat(1000)}`,
  ),
  'a picture as base64': begin(
    `/v1/memories/${MEMORY_ID}/ocr`,
    'application/json',
    `{"imageBase64":"${'A'.repeat(1000)}`,
  ),
}

for (const [kind, bytes] of Object.entries(UNFINISHED)) {
  test(`unfinished bodies of one key use its share, and others are accepted: ${kind}`, async (t) => {
    const server = await startServer(t, { bodyBudget: { smallBytes: 2 * MB, largeBytes: 2 * MB, keyBytes: 2 * MB } })
    const { answers, end } = await holdBodies(server.port, 60, bytes)
    while (answers.length < 20) await nextTurn()
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 (429|503) .*retry-after: /is)
    assert.equal((await server.sendJson('POST', '/v1/memories', { name: 'of another key' })).status, 201)
    end()
  })
}

test('a body over the share of its key is 429 with Retry-After, while another key may send as much', async (t) => {
  const server = await startServer(t, { bodyBudget: { smallBytes: MB, largeBytes: 12 * MB, keyBytes: 4 * MB } })
  const large = begin(DOCUMENTS, 'application/json', '').replace('999999', `${5 * MB}`) + ' '.repeat(4 * MB)
  const { answers, end } = await holdBodies(server.port, 2, large)
  while (answers.length === 0) await nextTurn()
  assert.match(answers[0] ?? '', /^HTTP\/1\.1 429 .*retry-after: \d+.*"code":"rate_limited"/is)
  assert.equal((await server.sendJson('POST', DOCUMENTS, bodyOf(3))).status, 200)
  end()
})

test('nothing of a body without a valid key is read', async (t) => {
  const server = await startServer(t, { bodyBudget: { smallBytes: MB, largeBytes: MB, keyBytes: MB } })
  const bytes = begin(DOCUMENTS, 'application/json', `{"documents":[{"text":"${'x'.repeat(150_000)}`)
  const { answers, end } = await holdBodies(server.port, 40, bytes.replace(MEMORY_KEY, 'rcl_wrong'))
  while (answers.length < 40) await nextTurn()
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 401 /)
  end()
})
