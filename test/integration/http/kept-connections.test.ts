import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startServer } from './running-server.ts'

test('a kept connection gathers nothing from bodies that were refused before they came', async (t) => {
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
