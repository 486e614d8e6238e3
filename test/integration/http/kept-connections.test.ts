import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DOCUMENT_ID, MEMORY_ID, ORGANIZATION_KEY } from './fake-services.ts'
import { startServer } from './running-server.ts'

test('a kept connection accumulates nothing from bodies refused early', async (t) => {
  const server = await startServer(t)
  const warnings: Error[] = []
  const take = (warning: Error) => void warnings.push(warning)
  process.on('warning', take)
  t.after(() => process.off('warning', take))
  const socket = connect(server.port, '127.0.0.1')
  for (let sent = 0; sent < 12; sent += 1) {
    socket.write('POST /v1/memories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 401 /)
    socket.write('{}')
  }
  socket.end()
  await once(socket, 'close')
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [],
  )
})

test('nonsense after a request does not take or spoil its answer', async (t) => {
  const server = await startServer(t)
  const head = `Host: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n`
  const create = `POST /v1/memories HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"x"}`
  const answers = await server.sendRaw(`${create}${create}\0nonsense\r\n\r\n`, 'more of it')
  assert.deepEqual(answers.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 400'])

  const content = new Readable({ read: () => undefined })
  server.services.documents.text = async () => ({ content, bytes: 10 })
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    received += piece
  })
  socket.write(`GET /v1/memories/${MEMORY_ID}/documents/${DOCUMENT_ID}/text HTTP/1.1\r\n${head}\r\n`)
  content.push('01234')
  while (!received.endsWith('01234')) await nextTurn()
  socket.write('\0nonsense\r\n\r\n')
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  content.push('56789')
  content.push(null)
  await once(socket, 'close')
  assert.match(received, /\r\n\r\n0123456789HTTP\/1\.1 400 /)
})

test('a CONNECT leaves no connection, and its failures do not end the service', {
  timeout: 20_000,
}, async (t) => {
  const server = await startServer(t)
  for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
    socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')
    if (leave === 'end') {
      const [answer] = (await once(socket, 'data')) as [Buffer]
      assert.match(answer.toString(), /^HTTP\/1\.1 400 /)
      // The server notices the end of a connection only after reading the data before it.
      socket.write(Buffer.alloc(1024 * 1024))
    } else await once(socket, 'connect')
    socket[leave]()
  }
  assert.equal((await server.send('GET', '/health')).status, 200)
  await server.close()
})
