import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { KeysService } from '../../../src/services/account/keys-service.ts'
import { createKeysService, newKeyText } from '../../../src/services/account/keys-service.ts'
import { bootstrap, createFirstKey } from '../../../src/services/account/organizations-service.ts'
import type { Caller } from '../../../src/services/caller.ts'
import { createDeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { createJobChanges } from '../../../src/services/jobs/job-changes.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { NO_RESERVE, openPlace, temporaryStore } from '../database/temporary-store.ts'
import { addStranger, openFixture, refusedAs, rememberingStores, scopedTo, silent } from './fixtures.ts'

type Fixture = Awaited<ReturnType<typeof openFixture>>
/** At least 10 s with the pauses. */
const NOTED_LOOKS = 2000
const memoryInput = { name: 'm', description: null, projectId: null, projectName: null }
const forAll = { name: 'CI', memoryIds: null, role: null, expiresAt: null }

function serve({ db, now }: Fixture) {
  const { blobs, memoryFile } = rememberingStores()
  const removals = createDeletionOutbox({ db, blobs, memoryFile, log: silent, now })
  return {
    keys: createKeysService({ db, blobs: NO_RESERVE, now, log: silent }),
    memories: createMemoriesService({ db, removals, changes: createJobChanges(), now }),
  }
}

/** Waits until the newest key has this time of last use, which is recorded after the answer. */
async function untilNoted({ list }: KeysService, caller: Caller, at: string): Promise<void> {
  const lastUsedAt = async () => (await list(caller, { limit: 1, cursor: null })).keys[0]?.lastUsedAt
  for (let looks = 0; looks < NOTED_LOOKS && (await lastUsedAt()) !== at; looks += 1) await pause(5)
  assert.equal(await lastUsedAt(), at)
}

test('a new key works immediately and is never stored in the database', async (t) => {
  const fixture = await openFixture(t)
  const { keys } = serve(fixture)
  const made = await keys.create(fixture.caller, forAll)
  const { key, ...shown } = made
  assert.deepEqual(await keys.authenticate(key), {
    ...fixture.caller,
    keyId: made.id,
    keyName: 'CI',
  })
  const lastUsedAt = fixture.now().toISOString()
  await untilNoted(keys, fixture.caller, lastUsedAt)
  const { keys: listed } = await keys.list(fixture.caller, { limit: 1, cursor: null })
  assert.deepEqual(listed, [{ ...shown, lastUsedAt }])
  const rows = JSON.stringify(await fixture.db.selectFrom('keys').selectAll().execute())
  assert.equal(rows.includes(key) || rows.includes(key.slice(4, 40)), false)
})

test('unknown, mistyped, expired and revoked keys are all refused alike', async (t) => {
  const fixture = await openFixture(t)
  const { keys } = serve(fixture)
  const expiring = await keys
    .create(fixture.caller, { ...forAll, expiresAt: '2026-11-21T09:00:00+01:00' })
    .catch(() => null)
  assert.equal(expiring, null, 'a moment that has passed is refused')
  const brief = await keys.create(fixture.caller, { ...forAll, expiresAt: '2026-11-21T08:00:01Z' })
  assert.equal(brief.expiresAt, '2026-11-21T08:00:01.000Z')
  assert.notEqual(await keys.authenticate(brief.key), null)
  fixture.pass(1000)
  const revoked = await keys.create(fixture.caller, forAll)
  await keys.revoke(fixture.caller, revoked.id)
  for (const key of [brief.key, revoked.key, newKeyText(), `${fixture.key.slice(0, -1)}!`, '', 'Bearer']) {
    assert.equal(await keys.authenticate(key), null)
  }
})

test('a key revoked by another process is refused from then on', async (t) => {
  const { db, place } = await temporaryStore(t)
  const now = () => new Date()
  const caller = await bootstrap({ db, now, plan: 'free', bootstrapKey: null })
  const key = await createFirstKey({ db, now }, caller.organizationId)
  const other = await openPlace(place)
  const here = createKeysService({ db, blobs: NO_RESERVE, now, log: silent })
  const there = createKeysService({ db: other.db, blobs: NO_RESERVE, now, log: silent })
  const id = (await here.authenticate(key ?? ''))?.keyId
  await there.revoke(caller, id ?? '', { force: true })
  assert.equal(await here.authenticate(key ?? ''), null)
  await other.close()
})

test('the last admin key is only revoked with force; readers, writers and expired admins do not count', async (t) => {
  const fixture = await openFixture(t)
  const { keys } = serve(fixture)
  const own = (await keys.authenticate(fixture.key))?.keyId ?? ''
  const reader = await keys.create(fixture.caller, { ...forAll, role: 'reader' })
  await keys.create(fixture.caller, { ...forAll, role: 'writer' })
  await assert.rejects(keys.revoke(fixture.caller, own), refusedAs('last_admin_key'))
  assert.notEqual(await keys.authenticate(fixture.key), null)
  await keys.revoke(fixture.caller, reader.id)
  const second = await keys.create(fixture.caller, forAll)
  await keys.revoke(fixture.caller, own)
  await assert.rejects(keys.revoke(fixture.caller, second.id), refusedAs('last_admin_key'))
  await keys.revoke(fixture.caller, second.id, { force: true })
  assert.equal(await keys.authenticate(second.key), null)
})

test('a key of several memories keeps the others when one is deleted, and ends with the last', async (t) => {
  const fixture = await openFixture(t)
  const { keys, memories } = serve(fixture)
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three'])
    ids.push((await memories.create(fixture.caller, { ...memoryInput, name })).id)
  const { key, memoryId, memoryIds } = await keys.create(fixture.caller, { ...forAll, memoryIds: ids })
  assert.deepEqual([memoryId, memoryIds], [null, ids])
  for (let left = ids.length; left > 0; left -= 1) {
    assert.deepEqual((await keys.authenticate(key))?.memoryIds, ids.slice(-left))
    await memories.delete(fixture.caller, ids[ids.length - left] ?? '')
  }
  assert.equal(await keys.authenticate(key), null)
})

test('revoking is final: the key is no longer listed, and revoking it again finds none', async (t) => {
  const fixture = await openFixture(t)
  const { keys } = serve(fixture)
  const { id } = await keys.create(fixture.caller, forAll)
  await keys.revoke(fixture.caller, id)
  await assert.rejects(keys.revoke(fixture.caller, id), refusedAs('key_not_found'))
  await assert.rejects(keys.revoke(fixture.caller, 'key_of_nobody'), refusedAs('key_not_found'))
  const { keys: listed, total } = await keys.list(fixture.caller, { limit: 10, cursor: null })
  assert.deepEqual([listed.length, total], [1, 1])
})

test('keys of another organization are not there', async (t) => {
  const fixture = await openFixture(t)
  const { keys, memories } = serve(fixture)
  const stranger = await addStranger(fixture.db)
  const { id } = await keys.create(fixture.caller, forAll)
  await assert.rejects(keys.revoke(stranger, id), refusedAs('key_not_found'))
  assert.equal((await keys.list(stranger, { limit: 10, cursor: null })).total, 0)
  const memory = await memories.create(fixture.caller, memoryInput)
  await assert.rejects(keys.create(stranger, { ...forAll, memoryIds: [memory.id] }), refusedAs('memory_not_found'))
})

test('a memory-scoped key covers its one memory, may not manage keys, and ends with the memory', async (t) => {
  const fixture = await openFixture(t)
  const { keys, memories } = serve(fixture)
  const memory = await memories.create(fixture.caller, memoryInput)
  const { key, scope, memoryId } = await keys.create(fixture.caller, { ...forAll, memoryIds: [memory.id] })
  assert.deepEqual([scope, memoryId], ['memory', memory.id])
  const scoped = await keys.authenticate(key)
  assert.deepEqual([scoped?.scope, scoped?.memoryIds], ['memory', [memory.id]])
  await assert.rejects(keys.create(scopedTo(fixture.caller, memory.id), forAll), refusedAs('scope_forbidden'))
  await memories.delete(fixture.caller, memory.id)
  assert.equal(await keys.authenticate(key), null)
})

test('the last use of a key is noted at most once a minute', async (t) => {
  const fixture = await openFixture(t)
  const { keys } = serve(fixture)
  const first = fixture.now().toISOString()
  await keys.authenticate(fixture.key)
  await untilNoted(keys, fixture.caller, first)
  fixture.pass(59_999)
  await keys.authenticate(fixture.key)
  await untilNoted(keys, fixture.caller, first)
  fixture.pass(1)
  await keys.authenticate(fixture.key)
  await untilNoted(keys, fixture.caller, '2026-11-21T08:01:00.000Z')
})

test('names and times that make no sense are refused by name', async (t) => {
  const fixture = await openFixture(t)
  const { keys } = serve(fixture)
  for (const input of [
    { name: '  ' },
    { name: 'x'.repeat(201) },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2020-01-01' },
  ]) {
    await assert.rejects(keys.create(fixture.caller, { ...forAll, ...input }), refusedAs('validation_failed'))
  }
})

test('the first start makes one organization and one key; later ones make nothing and set the plan', async (t) => {
  const { db } = await temporaryStore(t)
  const now = () => new Date()
  const start = async (plan: 'free' | 'starter') => {
    const caller = await bootstrap({ db, now, plan, bootstrapKey: null })
    return { caller, key: await createFirstKey({ db, now }, caller.organizationId) }
  }
  const [one, two] = await Promise.all([start('free'), start('free')])
  assert.equal([one.key, two.key].filter((key) => key !== null).length, 1)
  const later = await start('starter')
  assert.equal(later.key, null)
  assert.deepEqual(later.caller, { ...one.caller, planId: 'starter' })
  const keys = createKeysService({ db, blobs: NO_RESERVE, now, log: silent })
  const text = one.key ?? two.key ?? ''
  const { keyId } = (await keys.authenticate(text)) ?? {}
  assert.equal((await keys.authenticate(text))?.planId, 'starter')
  await keys.revoke(later.caller, keyId ?? '', { force: true })
  assert.equal(await createFirstKey({ db, now }, later.caller.organizationId), null)
})

test('a supplied first key of any form is taken as it is, unless it is too short or a mistyped key of ours', async (t) => {
  const { db } = await temporaryStore(t)
  const now = () => new Date()
  const start = (bootstrapKey: string) => bootstrap({ db, now, plan: 'free', bootstrapKey })
  await assert.rejects(start('19 characters long.'), /at least 20/)
  await assert.rejects(start(`rcl_${'0'.repeat(46)}`), /wrong checksum/)
  assert.deepEqual(await db.selectFrom('organizations').selectAll().execute(), [])
  const supplied = 'my own pass phrase 1'
  await start(supplied)
  await start('another pass phrase 2')
  const keys = createKeysService({ db, blobs: NO_RESERVE, now, log: silent })
  assert.equal((await keys.authenticate(supplied))?.scope, 'organization')
  assert.equal(await keys.authenticate('another pass phrase 2'), null)
})
