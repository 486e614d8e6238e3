import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { UsageCounter } from '../../../src/database/account/usage-columns.ts'
import { createKeysService } from '../../../src/services/account/keys-service.ts'
import { createUsageRecorder, type UsageRecorder } from '../../../src/services/account/usage-recorder.ts'
import { createUsageService, maintainUsage } from '../../../src/services/account/usage-service.ts'
import type { Caller } from '../../../src/services/caller.ts'
import { createDeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { createJobChanges } from '../../../src/services/jobs/job-changes.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { NO_RESERVE } from '../database/temporary-store.ts'
import { addDocument, addStranger, openFixture, refusedAs, rememberingStores, scopedTo, silent } from './fixtures.ts'

const DAY_MS = 24 * 3600_000
const TODAY = '2026-11-21'
/** The fixture has its own clock; no test waits for the timer. */
const NEVER_MS = 3600_000

type Counts = Partial<Record<UsageCounter, number>>

async function openUsage(t: TestContext) {
  const fixture = await openFixture(t)
  const { db, now, caller } = fixture
  const deletion = { db, ...rememberingStores(), log: silent, now }
  const changes = createJobChanges()
  const memories = createMemoriesService({ db, removals: createDeletionOutbox(deletion), changes, now })
  const keys = createKeysService({ db, blobs: NO_RESERVE, now, log: silent })
  const openNode = () => createUsageRecorder({ db, now, log: silent, delayMs: NEVER_MS })
  const usage = openNode()
  t.after(() => usage.stop())
  const service = createUsageService({ db, usage, now, yieldToEventLoop: async () => {} })
  const addMemory = async (name: string) =>
    (await memories.create(caller, { name, description: null, projectId: null, projectName: null })).id
  const addKey = async () => (await keys.create(caller, { name: 'k', memoryIds: null, role: null, expiresAt: null })).id
  const record = (memoryId: string | null, keyId: string | null, counts: Counts, node: UsageRecorder = usage) =>
    node.record({ organizationId: caller.organizationId, memoryId, keyId }, counts)
  const listRows = () =>
    db.selectFrom('usage_days').select(['day', 'memory_id', 'key_id', 'extractions']).orderBy('day').execute()
  return { ...fixture, memories, keys, openNode, usage, service, addMemory, addKey, record, listRows }
}

test('the counts of several nodes add up by day, memory and key', async (t) => {
  const { service, caller, addMemory, addKey, record, openNode, pass } = await openUsage(t)
  const [memoryId, otherId, keyId] = [await addMemory('a'), await addMemory('b'), await addKey()]
  const other = openNode()
  record(memoryId, keyId, { find_ms_10: 3, find_ms_500: 1, asks_declined: 1, ask_ms_50: 2 })
  record(memoryId, keyId, { find_ms_10: 4 }, other)
  record(otherId, null, { extractions: 2, documents_added: 1, pages_recognized: 5, pages_with_text: 7 }, other)
  await other.stop()
  pass(DAY_MS)
  record(memoryId, null, { failed_requests: 1 })
  const { from, to, days, totals, groups } = await service.get(caller, {})
  assert.deepEqual([from, to, days.length, groups], ['2026-10-24', '2026-11-22', 30, []])
  const [first, second] = days.slice(-2)
  assert.deepEqual(first, {
    ...{ day: TODAY, finds: 8, asks: 2, asksDeclined: 1, extractions: 2, failedRequests: 0, documentsAdded: 1 },
    ...{ pagesRecognized: 5, pagesWithText: 7, findP50Ms: 8, findP95Ms: 380, askP50Ms: 35, askP95Ms: 49 },
    ...{ storageBytes: null, documents: null, chunks: null },
  })
  assert.deepEqual([second?.finds, second?.failedRequests], [0, 1])
  assert.deepEqual({ ...days[0], day: '' }, { ...(await service.get(caller, { to: '2026-01-01' })).totals, day: '' })
  assert.deepEqual([totals.finds, totals.asks, totals.failedRequests, totals.findP95Ms], [8, 2, 1, 380])
  const ofMemory = await service.get(caller, { memoryId, from: TODAY, to: TODAY })
  assert.deepEqual([ofMemory.totals.finds, ofMemory.totals.extractions], [8, 0])
  const ofKey = await service.get(caller, { keyId })
  assert.deepEqual([ofKey.totals.finds, ofKey.totals.failedRequests], [8, 0])
})

test('groups are the memories or keys with the most use, each with all days', async (t) => {
  const { service, caller, addMemory, addKey, record } = await openUsage(t)
  const [quiet, busy, keyId] = [await addMemory('quiet'), await addMemory('busy'), await addKey()]
  record(quiet, keyId, { find_ms_2: 1 })
  record(busy, keyId, { find_ms_2: 5 })
  record(null, 'usr_somebody', { ask_ms_5: 2 })
  const range = { from: '2026-11-20', to: TODAY }
  const byMemory = await service.get(caller, { ...range, groupBy: 'memory' })
  assert.deepEqual(
    byMemory.groups.map(({ id, days, totals }) => [id, days.map(({ finds }) => finds), totals.asks]),
    [
      [busy, [0, 5], 0],
      [null, [0, 0], 2],
      [quiet, [0, 1], 0],
    ],
  )
  assert.deepEqual([byMemory.groupsLeftOut, byMemory.totals.finds], [0, 6])
  const byKey = await service.get(caller, { ...range, groupBy: 'key' })
  assert.deepEqual(
    byKey.groups.map(({ id, totals }) => [id, totals.finds + totals.asks]),
    [
      [keyId, 6],
      [null, 2],
    ],
  )
})

test('at most 50 groups are returned, and the others are counted', async (t) => {
  const { service, caller, addMemory, record } = await openUsage(t)
  for (let place = 0; place < 52; place += 1) record(await addMemory(`m${place}`), null, { find_ms_2: 1 + place })
  const { groups, groupsLeftOut, totals } = await service.get(caller, { from: TODAY, groupBy: 'memory' })
  assert.deepEqual([groups.length, groupsLeftOut, totals.finds], [50, 2, (52 * 53) / 2])
  assert.deepEqual([groups[0]?.totals.finds, groups.at(-1)?.totals.finds], [52, 3])
})

test('sizes are those of the end of each day, and days of more than 90 days ago are deleted', async (t) => {
  const { db, service, caller, addMemory, record, now, pass } = await openUsage(t)
  const memoryId = await addMemory('a')
  record(memoryId, null, { extractions: 1 })
  await maintainUsage(db, now())
  await addDocument(db, caller, memoryId)
  await maintainUsage(db, now())
  pass(DAY_MS)
  await addDocument(db, caller, memoryId)
  await maintainUsage(db, now())
  const { days, totals } = await service.get(caller, { from: '2026-11-20' })
  assert.deepEqual(
    days.map(({ storageBytes, documents, chunks }) => [storageBytes, documents, chunks]),
    [
      [null, null, null],
      [100, 1, 2],
      [200, 2, 4],
    ],
  )
  assert.deepEqual([totals.storageBytes, totals.documents, totals.extractions], [200, 2, 1])
  pass(88 * DAY_MS)
  await maintainUsage(db, now())
  assert.equal((await service.get(caller, { from: TODAY, to: TODAY })).totals.extractions, 1)
  pass(DAY_MS)
  await maintainUsage(db, now())
  assert.equal((await service.get(caller, { from: TODAY, to: TODAY })).totals.extractions, 0)
})

test('a deleted memory leaves only the totals of the organization', async (t) => {
  const { db, service, caller, memories, addMemory, record, usage, now, pass, listRows } = await openUsage(t)
  const [memoryId, keptId] = [await addMemory('gone'), await addMemory('kept')]
  await addDocument(db, caller, memoryId)
  await addDocument(db, caller, keptId)
  record(memoryId, null, { extractions: 2 })
  record(null, null, { extractions: 1 })
  await maintainUsage(db, now())
  pass(DAY_MS)
  record(memoryId, null, { extractions: 4 })
  await usage.flush()
  await maintainUsage(db, now())
  // Counted, but not yet written when the memory is deleted.
  record(memoryId, null, { extractions: 8 })
  await memories.delete(caller, memoryId)
  record(memoryId, null, { failed_requests: 1 })
  const { days, totals } = await service.get(caller, { from: TODAY })
  assert.deepEqual(
    days.map(({ extractions, documents }) => [extractions, documents]),
    [
      [3, 2],
      [12, 1],
    ],
  )
  assert.equal(totals.failedRequests, 1)
  assert.deepEqual([...new Set((await listRows()).map(({ memory_id }) => memory_id))].sort(), ['', keptId])
})

test('a revoked key leaves only the figures of its memory', async (t) => {
  const { service, caller, keys, addMemory, addKey, record, usage, listRows } = await openUsage(t)
  const [memoryId, keyId] = [await addMemory('a'), await addKey()]
  record(memoryId, keyId, { extractions: 2 })
  record(memoryId, null, { extractions: 1 })
  await usage.flush()
  await keys.revoke(caller, keyId)
  record(memoryId, keyId, { extractions: 4 })
  assert.equal((await service.get(caller, { memoryId })).totals.extractions, 7)
  assert.deepEqual(
    (await listRows()).map(({ memory_id, key_id }) => [memory_id, key_id]),
    [[memoryId, '']],
  )
  await assert.rejects(service.get(caller, { keyId }), refusedAs('key_not_found'))
})

test('the keys of a deleted memory leave nothing either', async (t) => {
  const { caller, keys, memories, addMemory, record, usage, listRows } = await openUsage(t)
  const memoryId = await addMemory('a')
  const { id } = await keys.create(caller, { name: 'k', memoryIds: [memoryId], role: null, expiresAt: null })
  record(memoryId, id, { extractions: 2 })
  await usage.flush()
  await memories.delete(caller, memoryId)
  assert.deepEqual(await listRows(), [{ day: TODAY, memory_id: '', key_id: '', extractions: 2 }])
})

test('a memory of another organization is never counted or shown', async (t) => {
  const { db, service, caller, addMemory, usage, listRows } = await openUsage(t)
  const memoryId = await addMemory('a')
  const stranger = await addStranger(db)
  usage.record({ organizationId: stranger.organizationId, memoryId, keyId: null }, { extractions: 1 })
  assert.equal((await service.get(caller, {})).totals.extractions, 0)
  assert.deepEqual(
    (await listRows()).map(({ memory_id }) => memory_id),
    [''],
  )
  await assert.rejects(service.get(stranger, { memoryId }), refusedAs('memory_not_found'))
})

test('a key of memories sees these memories alone, and no keys', async (t) => {
  const { service, caller, addMemory, addKey, record } = await openUsage(t)
  const [own, other, keyId] = [await addMemory('own'), await addMemory('other'), await addKey()]
  record(own, keyId, { extractions: 1 })
  record(other, keyId, { extractions: 2 })
  record(null, keyId, { extractions: 4 })
  const scoped = scopedTo(caller, own)
  const seen = await service.get(scoped, { groupBy: 'memory' })
  assert.deepEqual([seen.totals.extractions, seen.groups.map(({ id }) => id)], [1, [own]])
  await assert.rejects(service.get(scoped, { memoryId: other }), refusedAs('memory_not_found'))
  await assert.rejects(service.get(scoped, { keyId }), refusedAs('scope_forbidden'))
  await assert.rejects(service.get(scoped, { groupBy: 'key' }), refusedAs('scope_forbidden'))
  const reader: Caller = { ...caller, role: 'reader' }
  assert.equal((await service.get(reader, {})).totals.extractions, 7)
  await assert.rejects(service.get(reader, { groupBy: 'key' }), refusedAs('role_forbidden'))
})

test('a range is at most 90 existing days in order', async (t) => {
  const { service, caller } = await openUsage(t)
  assert.equal((await service.get(caller, { from: '2026-08-24', to: TODAY })).days.length, 90)
  for (const range of [
    { from: '2026-08-23', to: TODAY },
    { from: '2026-02-30', to: '2026-03-02' },
    { from: '2026-11-22', to: TODAY },
    { to: '2026-13-01' },
    { to: '0000-01-05' },
  ])
    await assert.rejects(service.get(caller, range), refusedAs('validation_failed'))
})

test('a range of centuries is refused without listing its days', async (t) => {
  const { service, caller } = await openUsage(t)
  const startedMs = performance.now()
  await assert.rejects(service.get(caller, { from: '1970-01-01', to: '9999-12-31' }), refusedAs('validation_failed'))
  const ms = performance.now() - startedMs
  // The list of three million days took 8 seconds, in which the service answered no request.
  assert.ok(ms < 1000, `${ms} ms`)
})

test('counts that could not be written are written later', async (t) => {
  const { db, now, caller, service, addMemory } = await openUsage(t)
  const memoryId = await addMemory('a')
  const warned: string[] = []
  const log = { warn: (_: unknown, message: string) => void warned.push(message) }
  const usage = createUsageRecorder({ db, now, log: log as never, delayMs: NEVER_MS })
  usage.record({ organizationId: caller.organizationId, memoryId, keyId: null }, { extractions: 1 })
  await sql`alter table usage_days rename to hidden_days`.execute(db)
  await usage.flush()
  assert.deepEqual(warned, ['usage could not be written, retrying later'])
  usage.record({ organizationId: caller.organizationId, memoryId, keyId: null }, { extractions: 2 })
  await sql`alter table hidden_days rename to usage_days`.execute(db)
  await usage.stop()
  assert.equal((await service.get(caller, { memoryId })).totals.extractions, 3)
})

test('counts are written some seconds after the first, without another request', async (t) => {
  const { db, now, caller, addMemory, listRows } = await openUsage(t)
  const usage = createUsageRecorder({ db, now, log: silent, delayMs: 20 })
  const scope = { organizationId: caller.organizationId, memoryId: await addMemory('a'), keyId: null }
  usage.record(scope, { extractions: 1 })
  usage.record(scope, { extractions: 1 })
  assert.deepEqual(await listRows(), [])
  while ((await listRows()).length === 0) await pause(20)
  assert.deepEqual(
    (await listRows()).map(({ extractions }) => extractions),
    [2],
  )
})
