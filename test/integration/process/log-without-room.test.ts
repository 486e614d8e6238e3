import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PROGRAMS } from '../../spec/product.ts'

const { service: SERVICE, command: COMMAND, cache: NODE_COMPILE_CACHE } = PROGRAMS
/** A device that is always full: https://man7.org/linux/man-pages/man4/full.4.html */
const FULL = '/dev/full'
const MEMORIES = 3

for (const [name, start] of [
  ['a service', `'${SERVICE}'`],
  ['recollect serve', `'${COMMAND}' serve`],
] as const)
  test(`${name} whose log has no room left starts, and answers on`, (context) => answersOn(context, start))

test('a command whose results find no room says so, and fails', { skip: !existsSync(FULL) }, () => {
  const command = `exec '${process.execPath}' '${COMMAND}' completion bash > ${FULL}`
  const { status, stderr } = spawnSync('sh', ['-c', command], { env: { ...process.env, NODE_COMPILE_CACHE } })
  assert.equal(status, 1)
  assert.match(String(stderr), /^Standard output cannot be written: ENOSPC: [^\n]*\.\n$/)
})

test('a command whose output fails keeps its exit status', { skip: !existsSync(FULL) }, () => {
  const command = `exec '${process.execPath}' '${COMMAND}' find words --memory Notes 2> ${FULL}`
  const { status } = spawnSync('sh', ['-c', command], {
    env: { ...process.env, NODE_COMPILE_CACHE, RECOLLECT_URL: 'http://127.0.0.1:9' },
  })
  assert.equal(status, 69)
})

async function answersOn(context: TestContext, start: string): Promise<void> {
  if (!existsSync(FULL)) return context.skip(`needs ${FULL}`)
  const folder = await mkdtemp(join(tmpdir(), 'recollect-log-'))
  const port = await findFreePort()
  const settings = { RECOLLECT_DATA_DIR: join(folder, 'data'), RECOLLECT_PORT: String(port), RECOLLECT_AUTH: 'off' }
  const command = `exec '${process.execPath}' ${start} > ${FULL}`
  const service = spawn('sh', ['-c', command], {
    env: { ...process.env, NODE_COMPILE_CACHE, ...settings },
    stdio: 'ignore',
  })
  const ended = once(service, 'exit')
  try {
    const url = `http://127.0.0.1:${port}`
    while (!(await isAnswering(url))) {
      assert.equal(service.exitCode, null, 'the service has ended')
      await pause(100)
    }
    for (let name = 1; name <= MEMORIES; name += 1) {
      const body = JSON.stringify({ name: String(name) })
      const headers = { 'content-type': 'application/json' }
      const { status } = await fetch(`${url}/v1/memories`, { method: 'POST', headers, body })
      assert.equal(status, 201)
    }
    service.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  } finally {
    service.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  }
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch {
    return false
  }
}

/** A currently free port, since the output of the service is lost. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}
