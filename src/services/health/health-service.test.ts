import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHealthService, type HealthDeps } from './health-service.ts'

const works = async () => {}
const fails = async () => {
  throw new Error('/secret/path is gone')
}
const hangs = () => new Promise<never>(() => {})
const silent = { debug() {}, info() {}, warn() {}, error() {} }

function ready(parts: Partial<HealthDeps>) {
  const health = createHealthService({
    database: works,
    objectStore: works,
    optional: {},
    log: silent,
    timeoutMs: 1,
    ...parts,
  })
  return health.ready()
}

test('is ready if database and object store respond', async () => {
  const { status, checks } = await ready({})
  assert.equal(status, 'ready')
  assert.deepEqual(Object.keys(checks).sort(), ['database', 'objectStore'])
  assert.equal(checks['database']?.status, 'up')
  assert.equal(typeof checks['database']?.latencyMs, 'number')
})

test('is degraded if database or object store fails, without revealing the cause', async () => {
  for (const part of ['database', 'objectStore']) {
    const answer = await ready({ [part]: fails })
    assert.equal(answer.status, 'degraded')
    assert.deepEqual(answer.checks[part], { status: 'down', error: 'unavailable' })
  }
})

test('reports a hanging check as down after the timeout', async () => {
  const { status, checks } = await ready({ objectStore: hangs })
  assert.equal(status, 'degraded')
  assert.deepEqual(checks['objectStore'], { status: 'down', error: 'timeout' })
})

test('shows a failed optional check without degrading the service', async () => {
  const { status, checks } = await ready({ optional: { worker: fails } })
  assert.equal(status, 'ready')
  assert.deepEqual(checks['worker'], { status: 'down', error: 'unavailable', optional: true })
})

test('aborts a hanging check', async () => {
  let reason: unknown = null
  const llm = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason
        reject(reason)
      })
    })
  const { checks } = await ready({ optional: { llm } })
  assert.deepEqual(checks['llm'], { status: 'down', error: 'timeout', optional: true })
  assert.match(String(reason), /no answer within 1 ms/)
})

test('caches optional checks, but not required ones', async () => {
  const asked = { llm: 0, database: 0 }
  const optional = { llm: async () => void asked.llm++ }
  const database = async () => void asked.database++
  const health = createHealthService({ database, objectStore: works, optional, log: silent, optionalCacheMs: 60_000 })
  const [first, second] = [await health.ready(), await health.ready()]
  assert.deepEqual(asked, { llm: 1, database: 2 })
  assert.deepEqual(second.checks['llm'], first.checks['llm'])
  const impatient = createHealthService({ database, objectStore: works, optional, log: silent, optionalCacheMs: 0 })
  await impatient.ready()
  await impatient.ready()
  assert.equal(asked.llm, 3)
})

test('shares a run between concurrent requests', async () => {
  let runs = 0
  const database = async () => {
    runs += 1
  }
  const health = createHealthService({ database, objectStore: works, optional: {}, log: silent })
  await Promise.all([health.ready(), health.ready(), health.ready()])
  assert.equal(runs, 1)
  await health.ready()
  assert.equal(runs, 2)
})

test('is not ready while draining', async () => {
  const health = createHealthService({ database: works, objectStore: works, optional: {}, log: silent })
  assert.equal((await health.ready()).status, 'ready')
  health.drain()
  const { status, checks } = await health.ready()
  assert.equal(status, 'degraded')
  assert.deepEqual([checks['process'], checks['database']?.status], [{ status: 'down', error: 'stopping' }, 'up'])
})

test('shows a condition only while it fails, and is then not ready', async () => {
  assert.deepEqual(Object.keys((await ready({ conditions: { openFiles: works } })).checks).sort(), [
    'database',
    'objectStore',
  ])
  const { status, checks } = await ready({ conditions: { openFiles: fails } })
  assert.equal(status, 'degraded')
  assert.deepEqual(checks['openFiles'], { status: 'down', error: 'unavailable' })
})
