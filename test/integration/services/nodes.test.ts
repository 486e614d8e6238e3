import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExclusiveTasks, createLocalTasks } from '../../../src/services/nodes/exclusive-tasks.ts'
import { createIdempotencyService } from '../../../src/services/nodes/idempotency-service.ts'
import { createNodeRegistry } from '../../../src/services/nodes/node-registry.ts'
import { openPlace, temporaryStore } from '../database/temporary-store.ts'
import { silent } from './fixtures.ts'

const PRINT = { fingerprint: 'print', memoryId: null }

const GONE_MS = 31_000

async function openRegistries(t: Parameters<typeof temporaryStore>[0], isOnly: boolean) {
  const { db, place } = await temporaryStore(t)
  let at = Date.parse('2026-11-21T08:00:00.000Z')
  const now = () => new Date(at)
  const make = (id: string) => {
    const registry = createNodeRegistry({ db, id, now, isOnly, onHeartbeat: async () => {}, log: silent })
    const claims = createIdempotencyService({ db, now, owner: id })
    return { ...registry, claims }
  }
  const pass = (ms: number) => {
    at += ms
  }
  return { db, place, now, make, pass }
}

test('the work of a live process is reserved, and that of a silent one is free', async (t) => {
  const { make, pass } = await openRegistries(t, false)
  const [one, two] = [make('one'), make('two')]
  await one.start()
  await two.start()
  await one.claims.claim('key_1', 'a', PRINT)
  await two.claims.releaseStale(two.seenSince())
  assert.equal((await two.claims.claim('key_1', 'a', PRINT)).state, 'running')
  pass(GONE_MS)
  await two.claims.releaseStale(two.seenSince())
  assert.equal((await two.claims.claim('key_1', 'a', PRINT)).state, 'claimed')
  await Promise.all([one.stop(), two.stop()])
})

test('the work of a stopped process is free immediately', async (t) => {
  const { make } = await openRegistries(t, false)
  const [one, two] = [make('one'), make('two')]
  await one.start()
  await two.start()
  await one.claims.claim('key_1', 'a', PRINT)
  await one.stop()
  await two.claims.releaseStale(two.seenSince())
  assert.equal((await two.claims.claim('key_1', 'a', PRINT)).state, 'claimed')
  await two.stop()
})

test('a single process may take over the work of others from its start, and never its own', async (t) => {
  const { make, pass } = await openRegistries(t, true)
  const [before, now] = [make('before'), make('now')]
  await before.start()
  await before.claims.claim('key_1', 'a', PRINT)
  await now.start()
  await now.claims.claim('key_1', 'own', PRINT)
  pass(10 * GONE_MS)
  await now.claims.releaseStale(now.seenSince())
  assert.equal((await now.claims.claim('key_1', 'a', PRINT)).state, 'claimed')
  assert.equal((await now.claims.claim('key_1', 'own', PRINT)).state, 'running')
  await Promise.all([before.stop(), now.stop()])
})

test('a task is done by one process at a time, and by the next one when that is over', async (t) => {
  const { db, place, now } = await openRegistries(t, false)
  const other = await openPlace(place)
  t.after(other.close)
  const one = createExclusiveTasks({ db, owner: 'one', now, log: silent })
  const two = createExclusiveTasks({ db: other.db, owner: 'two', now, log: silent })
  const done: string[] = []
  const wasDone = await one.run('sweep', async () => {
    assert.equal(await two.run('sweep', async () => done.push('two')), false)
    assert.equal(await two.run('another', async () => done.push('another')), true)
    done.push('one')
  })
  assert.equal(wasDone, true)
  assert.equal(await two.run('sweep', async () => done.push('two')), true)
  assert.deepEqual(done, ['another', 'one', 'two'])
})

test('a failed task is released and its failure reported', async (t) => {
  const { db, now } = await openRegistries(t, false)
  const tasks = createExclusiveTasks({ db, owner: 'one', now, log: silent })
  await assert.rejects(
    tasks.run('sweep', () => Promise.reject(new Error('full'))),
    /full/,
  )
  const other = createExclusiveTasks({ db, owner: 'two', now, log: silent })
  assert.equal(await other.run('sweep', async () => {}), true)
})

test('alone every task is done', async () => {
  assert.equal(await createLocalTasks().run('sweep', async () => {}), true)
})
