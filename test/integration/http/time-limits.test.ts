import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JobResource } from '../../../src/api/job.ts'
import { DOCUMENT_ID, JOB, JOB_ID, MEMORY, MEMORY_ID, ORGANIZATION_KEY } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const HEAD = `POST /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: application/json\r\n`

test('a request over the time limit is 504, and its work is aborted', async (t) => {
  const server = await startServer(t, { requestTimeoutMs: 100 })
  const told = Promise.withResolvers<unknown>()
  server.services.ingest.addTexts = (_caller, _memoryId, { work: { signal } }) =>
    new Promise(() => signal.addEventListener('abort', () => told.resolve(signal.reason)))
  const body = { documents: [{ title: 'T', text: 'x' }] }
  const { status, code } = await readError(await server.sendJson('POST', `/v1/memories/${MEMORY_ID}/documents`, body))
  assert.deepEqual([status, code], [504, 'request_timeout'])
  assert.ok((await told.promise) instanceof Error)
})

test('a body that stops coming is given up', async (t) => {
  const server = await startServer(t, { bodyIdleTimeoutMs: 50 })
  const answer = await server.sendRaw(`${HEAD}Content-Length: 100\r\n\r\n{"name":`)
  assert.match(answer, /^HTTP\/1\.1 504 .*"code":"request_timeout"/s)
})

test('a body that comes drop by drop is given up', async (t) => {
  const server = await startServer(t, { bodyIdleTimeoutMs: 200 })
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${HEAD}Content-Length: 100000\r\n\r\n{"name":"`)
  const drops = setInterval(() => socket.write('x'), 50)
  const [answer] = await once(socket, 'data')
  clearInterval(drops)
  socket.destroy()
  assert.match(String(answer), /^HTTP\/1\.1 504 .*"code":"request_timeout"/s)
})

test('an upload that stops coming is given up and leaves nothing', async (t) => {
  const server = await startServer(t, { bodyIdleTimeoutMs: 50 })
  const answer = await server.sendRaw(
    `POST /v1/memories/${MEMORY_ID}/documents HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n`,
    'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegin',
  )
  assert.match(answer, /^HTTP\/1\.1 504 /)
  while ((await server.uploads()).length > 0) await new Promise(setImmediate)
})

test('headers that come too slowly are given up', async (t) => {
  const server = await startServer(t, { headersTimeoutMs: 100 })
  assert.match(await server.sendRaw('GET / HTTP/1.1\r\nHost: x\r\n'), /^HTTP\/1\.1 504 .*"code":"request_timeout"/s)
})

test('an unread answer is aborted, and a slowly read one is not', async (t) => {
  const server = await startServer(t, { readerIdleTimeoutMs: 500 })
  let content = endless()
  server.services.documents.text = async () => ({ content, bytes: 2 ** 40 })
  const silent = askForText(server.port).pause()
  await once(content, 'close')
  silent.destroy()

  content = endless()
  const slow = askForText(server.port)
  let pieces = 0
  for await (const _piece of slow) {
    await new Promise((resolve) => setTimeout(resolve, 60))
    pieces += 1
    if (pieces === 20) break
  }
  assert.equal(pieces, 20)
})

function endless(): Readable {
  const content = new Readable({ read: (bytes) => void setImmediate(() => content.push(Buffer.alloc(bytes))) })
  return content
}

function askForText(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET /v1/memories/${MEMORY_ID}/documents/${DOCUMENT_ID}/text HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n\r\n`,
  )
  return socket
}

test('a disconnected client aborts the work', async (t) => {
  const server = await startServer(t)
  const entered = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  server.services.ingest.addTexts = (_caller, _memoryId, { work: { signal } }) => {
    signal.addEventListener('abort', () => left.resolve())
    entered.resolve()
    return new Promise(() => undefined)
  }
  const body = '{"documents":[{"title":"T","text":"x"}]}'
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `${HEAD.replace('memories', `memories/${MEMORY_ID}/documents`)}Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  await entered.promise
  socket.destroy()
  await left.promise
})

test('a disconnected client aborts a search', async (t) => {
  const server = await startServer(t)
  for (const name of ['find', 'search'] as const) {
    const entered = Promise.withResolvers<AbortSignal | undefined>()
    server.services.search[name] = (_searched, { signal }) => {
      entered.resolve(signal)
      return new Promise<never>(() => undefined)
    }
    const body = '{"query":"tides"}'
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `${HEAD.replace('memories', `memories/${MEMORY_ID}/${name}`)}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    const signal = await entered.promise
    socket.destroy()
    while (signal?.aborted !== true) await nextTurn()
  }
})

test('a closing server finishes running answers and ends waiting ones', async (t) => {
  const server = await startServer(t)
  const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const created = Promise.withResolvers<void>()
  server.services.memories.create = async () => {
    entered[0].resolve()
    await created.promise
    return MEMORY
  }
  server.services.jobs.wait = async (_caller, _jobId, { signal }) => {
    entered[1].resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return JOB
  }
  server.services.jobs.watch = (_caller, _jobId, signal) => watchForever(signal)
  const running = server.sendJson('POST', '/v1/memories', { name: 'A' })
  const waiting = server.send('GET', `/v1/jobs/${JOB_ID}?wait=60`)
  const watching = await server.send('GET', `/v1/jobs/${JOB_ID}/events`)
  await Promise.all(entered.map(({ promise }) => promise))
  const closed = server.close()
  assert.equal((await waiting).status, 200)
  assert.match(await watching.text(), /^event: progress\n/)
  created.resolve()
  assert.equal((await running).status, 201)
  await closed
  await assert.rejects(server.send('GET', '/health'))
})

async function* watchForever(signal: AbortSignal): AsyncGenerator<JobResource> {
  yield JOB
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

test('a closing server does not wait for the rest of a refused body', async (t) => {
  const server = await startServer(t)
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${HEAD}Content-Length: 20000000\r\n\r\n{`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(String(answer), /^HTTP\/1\.1 413 /)
  await server.close()
  socket.destroy()
})

test('a closing server ends incomplete requests and idle connections', {
  timeout: 20_000,
}, async (t) => {
  const server = await startServer(t, { stopTimeoutMs: 50 })
  const upload = [
    `POST /v1/memories/${MEMORY_ID}/documents HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n`,
    'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegin',
  ]
  const unasked = [server.sendRaw(), server.sendRaw('GET /health HTTP/1.1\r\nHost: x\r\n')]
  const halves = [server.sendRaw(`${HEAD}Content-Length: 100\r\n\r\n{"name":`), server.sendRaw(...upload)]
  while ((await server.uploads()).length === 0) await nextTurn()
  await server.close()
  for (const answer of await Promise.all(halves)) {
    assert.match(answer, /^HTTP\/1\.1 503 .*"code":"service_unavailable"/s)
  }
  assert.deepEqual(await Promise.all(unasked), ['', ''])
  while ((await server.uploads()).length > 0) await nextTurn()
})

test('a closing server gives up answers that are not read, or never end', { timeout: 20_000 }, async (t) => {
  const server = await startServer(t, { stopTimeoutMs: 200 })
  const opened: Readable[] = []
  server.services.documents.text = async () => {
    const content = endless()
    opened.push(content)
    return { content, bytes: 2 ** 40 }
  }
  const silent = askForText(server.port).pause()
  const quick = askForText(server.port).resume()
  await once(quick, 'data')
  while (opened.length < 2) await nextTurn()
  await server.close()
  while (!opened.every(({ destroyed }) => destroyed)) await nextTurn()
  silent.destroy()
})

test('a watcher who leaves ends the watch', async (t) => {
  const server = await startServer(t)
  const ended = Promise.withResolvers<void>()
  server.services.jobs.watch = async function* (_caller, _jobId, signal) {
    yield* watchForever(signal)
    ended.resolve()
  }
  const controller = new AbortController()
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/jobs/${JOB_ID}/events`, {
    headers: { 'x-api-key': ORGANIZATION_KEY },
    signal: controller.signal,
  })
  await response.body?.getReader().read()
  controller.abort()
  await ended.promise
})

test('requests of one connection are answered one after the other', async (t) => {
  const server = await startServer(t)
  const socket = connect(server.port, '127.0.0.1')
  const body = '{"name":"A"}'
  const request = `${HEAD}Content-Length: ${body.length}\r\n`
  socket.write(
    `${request}\r\n${body}GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n${request}Connection: close\r\n\r\n${body}`,
  )
  const answers = await text(socket)
  assert.deepEqual(
    [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['201', '404', '201'],
  )
})

test('an answer after the client has left is closed unread', async (t) => {
  const server = await startServer(t)
  const asked = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const content = new Readable({ read: () => undefined })
  server.services.documents.text = async () => {
    asked.resolve()
    await left.promise
    return { content, bytes: 10 }
  }
  const socket = askForText(server.port)
  await asked.promise
  socket.destroy()
  while (!server.logged.some(({ message }) => message === 'client disconnected')) await nextTurn()
  left.resolve()
  await once(content, 'close')
  assert.equal(content.destroyed, true)
})
