import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MEMORY_ID, MEMORY_KEY, ORGANIZATION_KEY } from './fake-services.ts'
import { type RunningServer, readError, startServer } from './running-server.ts'

const ALL_TAKEN = 'connection limit reached: closing idle connections to accept new ones'

/** A connection from a loopback address. Every system has all of them, except macOS. */
async function open(t: TestContext, server: RunningServer, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function untilClosed(socket: Socket): Promise<void> {
  socket.resume()
  while (!socket.destroyed && !socket.readableEnded) await nextTurn()
}

/** The status of a request on an open connection. */
async function ask(socket: Socket): Promise<number> {
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  const [answer] = await once(socket, 'data')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1])
}

/** A connection with a request that never gets an answer. */
async function openBusy(t: TestContext, server: RunningServer): Promise<Socket> {
  const entered = Promise.withResolvers<void>()
  server.services.memories.list = () => {
    entered.resolve()
    return new Promise(() => undefined)
  }
  const busy = await open(t, server)
  busy.write(`GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n\r\n`)
  await entered.promise
  return busy
}

test('idle connections of one address are closed in favour of others, and the log names its count once', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const server = await startServer(t, { maxConnections: 6 })
  const other = await open(t, server, '127.0.0.2')
  const idle: Socket[] = []
  for (let opened = 0; opened < 20; opened += 1) idle.push(await open(t, server))
  for (const socket of idle.slice(0, 15)) await untilClosed(socket)
  for (const socket of idle.slice(15)) assert.equal(await ask(socket), 200)
  assert.equal(await ask(other), 200)
  assert.equal(await ask(await open(t, server, '127.0.0.3')), 200)
  const logged = server.logged.filter(({ message }) => message === ALL_TAKEN)
  assert.equal(logged.length, 1)
  assert.deepEqual(logged[0]?.facts['addresses'], [
    { address: '127.0.0.1', connections: 6 },
    { address: '127.0.0.2', connections: 1 },
  ])
})

test('the connection that was without a request for longest goes first, and one with a request under way stays', async (t) => {
  const server = await startServer(t, { maxConnections: 3 })
  const entered = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const { list } = server.services.memories
  server.services.memories.list = async (...given) => {
    entered.resolve()
    await answered.promise
    return list(...given)
  }
  const busy = await open(t, server)
  busy.write(`GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n\r\n`)
  await entered.promise
  const [idle, used] = [await open(t, server), await open(t, server)]
  assert.equal(await ask(idle), 200)
  assert.equal(await ask(used), 200)
  assert.equal(await ask(idle), 200)
  const next = await open(t, server)
  await untilClosed(used)
  assert.equal(await ask(idle), 200)
  answered.resolve()
  const [answer] = await once(busy, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
  assert.equal(await ask(next), 200)
})

test('where the largest address has no idle connection, another address makes room', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const server = await startServer(t, { maxConnections: 2 })
  const busy = await openBusy(t, server)
  const idle = await open(t, server, '127.0.0.2')
  assert.equal(await ask(idle), 200)
  const next = await open(t, server, '127.0.0.3')
  await untilClosed(idle)
  assert.equal(await ask(next), 200)
  busy.destroy()
})

test('a key with half of the running requests gets 429, and another key is answered', async (t) => {
  const server = await startServer(t, { maxConnections: 8 })
  const entered = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const { list } = server.services.memories
  let count = 0
  server.services.memories.list = async (...given) => {
    count += 1
    if (count === 4) entered.resolve()
    await answered.promise
    return list(...given)
  }
  const held = Array.from({ length: 4 }, () => server.send('GET', '/v1/memories'))
  await entered.promise
  const refused = await server.send('GET', `/v1/memories/${MEMORY_ID}`)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const { status, code } = await readError(refused)
  assert.deepEqual([status, code], [429, 'rate_limited'])
  const headers = { authorization: `Bearer ${MEMORY_KEY}` }
  assert.equal((await server.send('GET', `/v1/memories/${MEMORY_ID}`, { headers })).status, 200)
  answered.resolve()
  for (const { status } of await Promise.all(held)) assert.equal(status, 200)
  assert.equal((await server.send('GET', `/v1/memories/${MEMORY_ID}`)).status, 200)
})

test('when every connection has a running request, a new one is closed', async (t) => {
  const server = await startServer(t, { maxConnections: 1 })
  const busy = await openBusy(t, server)
  await untilClosed(await open(t, server))
  assert.equal(busy.destroyed, false)
  busy.destroy()
})
