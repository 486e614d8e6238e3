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

test('the service is ready when database and object store answer', async () => {
  const { status, checks } = await ready({})
  assert.equal(status, 'ready')
  assert.deepEqual(Object.keys(checks).sort(), ['database', 'objectStore'])
  assert.equal(checks['database']?.status, 'up')
  assert.equal(typeof checks['database']?.latencyMs, 'number')
})

test('a failing database or object store degrades the service, and the answer keeps the cause to itself', async () => {
  for (const part of ['database', 'objectStore']) {
    const answer = await ready({ [part]: fails })
    assert.equal(answer.status, 'degraded')
    assert.deepEqual(answer.checks[part], { status: 'down', error: 'unavailable' })
  }
})

test('a check that hangs is down after its time', async () => {
  const { status, checks } = await ready({ objectStore: hangs })
  assert.equal(status, 'degraded')
  assert.deepEqual(checks['objectStore'], { status: 'down', error: 'timeout' })
})

test('an optional check is shown, and never degrades the service', async () => {
  const { status, checks } = await ready({ optional: { worker: fails } })
  assert.equal(status, 'ready')
  assert.deepEqual(checks['worker'], { status: 'down', error: 'unavailable', optional: true })
})

test('what hangs is told to end', async () => {
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

test('what an optional check found stands for a while, and what a required one found does not', async () => {
  const asked = { llm: 0, database: 0 }
  const optional = { llm: async () => void asked.llm++ }
  const database = async () => void asked.database++
  const health = createHealthService({ database, objectStore: works, optional, log: silent, optionalPauseMs: 60_000 })
  const [first, second] = [await health.ready(), await health.ready()]
  assert.deepEqual(asked, { llm: 1, database: 2 })
  assert.deepEqual(second.checks['llm'], first.checks['llm'])
  const impatient = createHealthService({ database, objectStore: works, optional, log: silent, optionalPauseMs: 0 })
  await impatient.ready()
  await impatient.ready()
  assert.equal(asked.llm, 3)
})

test('requests that come while the checks run share them', async () => {
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

test('a service that is about to stop is not ready, whatever works', async () => {
  const health = createHealthService({ database: works, objectStore: works, optional: {}, log: silent })
  assert.equal((await health.ready()).status, 'ready')
  health.drain()
  const { status, checks } = await health.ready()
  assert.equal(status, 'degraded')
  assert.deepEqual([checks['process'], checks['database']?.status], [{ status: 'down', error: 'stopping' }, 'up'])
})

test('a condition shows only while it fails, and then the service is not ready', async () => {
  assert.deepEqual(Object.keys((await ready({ conditions: { openFiles: works } })).checks).sort(), [
    'database',
    'objectStore',
  ])
  const { status, checks } = await ready({ conditions: { openFiles: fails } })
  assert.equal(status, 'degraded')
  assert.deepEqual(checks['openFiles'], { status: 'down', error: 'unavailable' })
})
