import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteComputedResponses, sumResponseBytes } from '../../../src/database/account/idempotency-table.ts'
import { getStorageBytes } from '../../../src/database/memories/document-writes.ts'
import { recordHeartbeat } from '../../../src/database/process-tables.ts'
import { toStoreError } from '../../../src/database/store-errors.ts'
import { ApiError } from '../../../src/errors.ts'
import { MAX_STORED_RESPONSE_BYTES } from '../../../src/limits.ts'
import { createDeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { createJobChanges } from '../../../src/services/jobs/job-changes.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { createIdempotencyService } from '../../../src/services/nodes/idempotency-service.ts'
import { openFixture, refusedAs, rememberingStores, silent } from './fixtures.ts'

const PRINT = { fingerprint: 'print', memoryId: null }
const OTHER = { fingerprint: 'other', memoryId: null }

const answer = { status: 201, headers: { location: '/v1/memories/mem_1' }, body: '{"id":"mem_1"}' }
const DAY_MS = 24 * 3600_000

async function serve(t: Parameters<typeof openFixture>[0]) {
  const { db, now, pass } = await openFixture(t)
  const make = (owner: string) => createIdempotencyService({ db, now, owner })
  return { db, pass, make, claims: make('first process') }
}

test('the first request claims the key, a concurrent one gets a conflict, later ones get the first response', async (t) => {
  const { claims } = await serve(t)
  assert.deepEqual(await claims.claim('key_1', 'a', PRINT), { state: 'claimed' })
  assert.deepEqual(await claims.claim('key_1', 'a', PRINT), { state: 'running' })
  await claims.saveResponse('key_1', 'a', answer)
  assert.deepEqual(await claims.claim('key_1', 'a', PRINT), { state: 'done', ...answer })
})

test('a response stored with its work becomes visible with the commit, and stays the first', async (t) => {
  const { db, claims } = await serve(t)
  const claim = { keyId: 'key_1', idempotencyKey: 'a' }
  await claims.claim('key_1', 'a', PRINT)
  const rolledBack = db.transaction().execute(async (transaction) => {
    await claims.saveInTransaction(transaction, claim, answer)
    throw new Error('no room')
  })
  await assert.rejects(rolledBack, /no room/)
  assert.deepEqual(await claims.claim('key_1', 'a', PRINT), { state: 'running' })
  await db.transaction().execute((transaction) => claims.saveInTransaction(transaction, claim, answer))
  await claims.saveResponse('key_1', 'a', { ...answer, body: '{}' })
  await claims.release('key_1', 'a')
  assert.deepEqual(await claims.claim('key_1', 'a', PRINT), { state: 'done', ...answer })
})

test('without its claim, work commits nothing', async (t) => {
  const { db, claims, make } = await serve(t)
  await claims.claim('key_1', 'a', PRINT)
  await make('second process').releaseStale('')
  const claim = { keyId: 'key_1', idempotencyKey: 'a' }
  const commit = () => db.transaction().execute((transaction) => claims.saveInTransaction(transaction, claim, answer))
  await assert.rejects(commit(), refusedAs('idempotency_in_progress'))
  await make('second process').claim('key_1', 'a', PRINT)
  await assert.rejects(commit(), refusedAs('idempotency_in_progress'))
})

test('a different request under the same key is refused', async (t) => {
  const { claims } = await serve(t)
  await claims.claim('key_1', 'a', PRINT)
  assert.deepEqual(await claims.claim('key_1', 'a', OTHER), { state: 'reused' })
  await claims.saveResponse('key_1', 'a', answer)
  assert.deepEqual(await claims.claim('key_1', 'a', OTHER), { state: 'reused' })
})

test('keys are kept apart by API key', async (t) => {
  const { claims } = await serve(t)
  await claims.claim('key_1', 'a', PRINT)
  assert.deepEqual(await claims.claim('key_2', 'a', OTHER), { state: 'claimed' })
})

test('exactly one of many concurrent requests claims the key', async (t) => {
  const { claims } = await serve(t)
  const begun = await Promise.all(Array.from({ length: 10 }, () => claims.claim('key_1', 'a', PRINT)))
  assert.equal(begun.filter(({ state }) => state === 'claimed').length, 1)
  assert.equal(begun.filter(({ state }) => state === 'running').length, 9)
})

test('a key that was given back can be claimed again; a finished one cannot be given back', async (t) => {
  const { claims } = await serve(t)
  await claims.claim('key_1', 'a', PRINT)
  await claims.release('key_1', 'a')
  assert.deepEqual(await claims.claim('key_1', 'a', OTHER), { state: 'claimed' })
  await claims.saveResponse('key_1', 'a', answer)
  await claims.release('key_1', 'a')
  assert.equal((await claims.claim('key_1', 'a', OTHER)).state, 'done')
})

test('claims of a dead process are released; its responses and the claims of live processes are kept', async (t) => {
  const { db, claims, make } = await serve(t)
  await claims.claim('key_1', 'running', PRINT)
  await claims.claim('key_1', 'done', PRINT)
  await claims.saveResponse('key_1', 'done', answer)
  const later = make('second process')
  await recordHeartbeat(db, { id: 'second process', now: new Date() })
  await later.claim('key_1', 'own', PRINT)
  await later.releaseStale('')
  assert.equal((await later.claim('key_1', 'running', PRINT)).state, 'claimed')
  assert.equal((await later.claim('key_1', 'done', PRINT)).state, 'done')
  assert.equal((await later.claim('key_1', 'own', PRINT)).state, 'running')
  await claims.saveResponse('key_1', 'own', answer)
  assert.equal((await later.claim('key_1', 'own', PRINT)).state, 'running')
})

test('an answer is kept for 24 hours and not longer', async (t) => {
  const { claims, pass } = await serve(t)
  await claims.claim('key_1', 'a', PRINT)
  await claims.saveResponse('key_1', 'a', answer)
  pass(DAY_MS)
  assert.equal((await claims.claim('key_1', 'a', PRINT)).state, 'done')
  pass(1)
  assert.equal((await claims.claim('key_1', 'a', OTHER)).state, 'claimed')
})

test('purging forgets all that is older than 24 hours and nothing else', async (t) => {
  const { db, claims, pass } = await serve(t)
  const row = {
    key_id: 'key_1',
    fingerprint: '',
    state: 'done' as const,
    owner: '',
    created_at: '2026-11-21T08:00:00.000Z',
  }
  const old = Array.from({ length: 1200 }, (_, index) => ({ ...row, idempotency_key: `${index}` }))
  await db.insertInto('idempotency').values(old).execute()
  pass(DAY_MS + 1)
  await claims.claim('key_1', 'new', PRINT)
  await claims.purge()
  assert.deepEqual(await db.selectFrom('idempotency').select('idempotency_key').execute(), [{ idempotency_key: 'new' }])
})

test('a claim that cannot be written is reported, for a full disk or a failed flush, and is free afterwards', async (t) => {
  const { db, now } = await openFixture(t)
  // SQLITE_FULL, SQLITE_IOERR_FSYNC (https://sqlite.org/rescode.html).
  for (const errcode of [13, 1034]) {
    const error = toStoreError(Object.assign(new Error('disk'), { errcode }))
    let isBroken = true
    const broken = db.withPlugin({
      transformQuery({ node }) {
        if (isBroken && node.kind === 'InsertQueryNode') throw error
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const claims = createIdempotencyService({ db: broken, now, owner: 'first process' })
    const idempotencyKey = `key of ${errcode}`
    assert.deepEqual(await claims.claim('key_1', idempotencyKey, PRINT), { state: 'unwritten', error })
    isBroken = false
    assert.deepEqual(await claims.claim('key_1', idempotencyKey, PRINT), { state: 'claimed' })
  }
})

test('a response computed during a deletion in its memory is not stored, unless its work was committed', async (t) => {
  const { db, claims } = await serve(t)
  const asked = { fingerprint: 'print', memoryId: 'mem_1' }
  for (const key of ['question', 'add']) await claims.claim('key_1', key, asked)
  await claims.claim('key_1', 'elsewhere', { fingerprint: 'print', memoryId: 'mem_2' })
  await db.transaction().execute((transaction) => deleteComputedResponses(transaction, 'mem_1'))
  await db
    .transaction()
    .execute((transaction) => claims.saveInTransaction(transaction, { keyId: 'key_1', idempotencyKey: 'add' }, answer))
  for (const key of ['question', 'add', 'elsewhere'])
    await claims.saveResponse('key_1', key, { ...answer, body: 'the deleted words' })
  assert.deepEqual(await claims.claim('key_1', 'question', asked), { state: 'claimed' })
  assert.deepEqual(await claims.claim('key_1', 'add', asked), { state: 'done', ...answer })
  assert.equal((await claims.claim('key_1', 'elsewhere', { fingerprint: 'print', memoryId: 'mem_2' })).state, 'done')
  await claims.saveResponse('key_1', 'question', answer)
  assert.equal((await claims.claim('key_1', 'question', asked)).state, 'done', 'what is asked anew is kept again')
})

test('a response about a deleted memory is never repeated, even if it was being computed', async (t) => {
  const { db, now, caller } = await openFixture(t)
  const stores = rememberingStores()
  const removals = createDeletionOutbox({ db, ...stores, log: silent, now })
  const memories = createMemoriesService({ db, removals, changes: createJobChanges(), now })
  const claims = createIdempotencyService({ db, now, owner: 'first process' })
  const input = { name: 'm', description: null, projectId: null, projectName: null }
  const [gone, other] = [await memories.create(caller, input), await memories.create(caller, input)]
  const asked = { fingerprint: 'print', memoryId: gone.id }
  const elsewhere = { fingerprint: 'print', memoryId: other.id }
  const said = { ...answer, body: 'the deleted words' }
  for (const key of ['answered', 'added', 'running']) await claims.claim('key_1', key, asked)
  for (const key of ['answered there', 'running there']) await claims.claim('key_1', key, elsewhere)
  await db
    .transaction()
    .execute((transaction) => claims.saveInTransaction(transaction, { keyId: 'key_1', idempotencyKey: 'added' }, said))
  for (const key of ['answered', 'added', 'answered there']) await claims.saveResponse('key_1', key, said)
  stores.state.broken = true
  await memories.delete(caller, gone.id)
  assert.notDeepEqual(await db.selectFrom('removals').selectAll().execute(), [], 'the removal is still to be done')
  for (const key of ['running', 'running there']) await claims.saveResponse('key_1', key, said)
  const begin = async (key: string, request: typeof asked) => (await claims.claim('key_1', key, request)).state
  const keys = ['answered', 'added', 'running']
  const states = await Promise.all(keys.map(async (key) => [key, await begin(key, asked)]))
  assert.deepEqual(
    states,
    keys.map((key) => [key, 'claimed']),
  )
  for (const key of ['answered there', 'running there']) assert.equal(await begin(key, elsewhere), 'done', key)
})

/** A database that on demand refuses every deleting statement, as if unavailable. */
function openFlaky<Database extends object>(db: Database) {
  let isAway = false
  const flaky = new Proxy(db, {
    get(target, name, receiver) {
      if (isAway && name === 'deleteFrom') throw new ApiError('service_unavailable')
      const value: unknown = Reflect.get(target, name, receiver)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const setAway = (away: boolean) => {
    isAway = away
  }
  return { flaky, setAway }
}

test('a claim that could not be given back while the database was away is the next request of this process to have', async (t) => {
  const { db, now } = await openFixture(t)
  const { flaky, setAway } = openFlaky(db)
  const claims = createIdempotencyService({ db: flaky, now, owner: 'first process' })
  await claims.claim('key_1', 'a', PRINT)
  setAway(true)
  await assert.rejects(claims.release('key_1', 'a'), refusedAs('service_unavailable'))
  setAway(false)
  assert.deepEqual(await claims.claim('key_1', 'a', OTHER), { state: 'reused' })
  assert.deepEqual(await claims.claim('key_1', 'a', PRINT), { state: 'claimed' })
  assert.deepEqual(await claims.claim('key_1', 'a', PRINT), { state: 'running' })
})

test('a claim that could not be given back while the database was away is free for other processes soon after', async (t) => {
  const { db, now } = await openFixture(t)
  const { flaky, setAway } = openFlaky(db)
  const claims = createIdempotencyService({ db: flaky, now, owner: 'first process' })
  const other = createIdempotencyService({ db, now, owner: 'second process' })
  await recordHeartbeat(db, { id: 'first process', now: now() })
  await claims.claim('key_1', 'a', PRINT)
  await claims.claim('key_1', 'b', PRINT)
  setAway(true)
  await assert.rejects(claims.release('key_1', 'a'), refusedAs('service_unavailable'))
  setAway(false)
  assert.deepEqual(await other.claim('key_1', 'a', PRINT), { state: 'running' })
  await claims.releaseStale('')
  assert.deepEqual(await other.claim('key_1', 'a', PRINT), { state: 'claimed' })
  assert.deepEqual(await other.claim('key_1', 'b', PRINT), { state: 'running' })
})

test('responses of reads are stored up to a limit of the organization, and count towards its plan', async (t) => {
  const { db, now } = await openFixture(t)
  const claims = createIdempotencyService({ db, now, owner: 'a process' })
  const most = MAX_STORED_RESPONSE_BYTES.computedOfOrganization
  const body = JSON.stringify({ text: 'ä'.repeat(5000) })
  await claims.claim('org_1', 'a', PRINT)
  await claims.saveResponse('org_1', 'a', { status: 200, headers: {}, body })
  assert.equal(await sumResponseBytes(db, 'org_1'), Buffer.byteLength(body))
  assert.equal(await getStorageBytes(db, 'org_1'), Buffer.byteLength(body))
  assert.equal(await claims.reserveBytes('org_1', most), false)
  assert.equal(await claims.reserveBytes('org_1', most - Buffer.byteLength(body)), true)
  assert.equal(await claims.reserveBytes('org_1', 1), false)
  assert.equal(await claims.reserveBytes('org_2', 1), true)
})
