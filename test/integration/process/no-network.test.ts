import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { createService } from '../../spec/service.ts'
import { listSockets, type Socket, staysOnMachine } from './sockets.ts'
import { useOnce } from './use-once.ts'

const LOOPBACK_ONLY = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const canBeOffline = spawnSync('unshare', [...LOOPBACK_ONLY, 'true']).status === 0

test('the service works with no network but loopback', async (context) => {
  if (!canBeOffline) return context.skip('needs "unshare -rn" and "ip": this machine takes the network from no process')
  const script = join(import.meta.dirname, 'offline-day.ts')
  const { stdout } = await promisify(execFile)('unshare', [...LOOPBACK_ONLY, process.execPath, script])
  assert.match(stdout, /all of it works offline/)
})

test('with a network, the service opens no socket but on loopback', async (context) => {
  if (!existsSync('/proc/self/net/tcp')) return context.skip('needs the /proc of Linux')
  const service = createService()
  const seen = new Map<string, Socket>()
  const look = () => {
    for (const socket of service.pid === 0 ? [] : listSockets(service.pid)) seen.set(JSON.stringify(socket), socket)
  }
  const looking = setInterval(look, 5)
  try {
    await service.start()
    await useOnce(service)
  } finally {
    clearInterval(looking)
    await service.dispose()
  }
  assert.ok(
    [...seen.values()].some(({ remote }) => !/:0000$/.test(remote)),
    'connections of this test were seen',
  )
  assert.deepEqual(
    [...seen.values()].filter((socket) => !staysOnMachine(socket)),
    [],
  )
})

test('a socket that is open to other machines is noticed', async (context) => {
  if (!existsSync('/proc/self/net/tcp')) return context.skip('needs the /proc of Linux')
  const server = createServer().listen(0, '0.0.0.0')
  await new Promise((resolve) => server.once('listening', resolve))
  const open = listSockets(process.pid).filter((socket) => !staysOnMachine(socket))
  server.close()
  assert.equal(open.length, 1)
})
