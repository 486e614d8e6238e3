import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { insertMemory } from '../../../src/database/memories/memories-table.ts'
import { toStoreError } from '../../../src/database/store-errors.ts'
import type { ApiError } from '../../../src/errors.ts'
import { PLANS } from '../../../src/limits.ts'
import { createAccountService } from '../../../src/services/account/account-service.ts'
import { ON_POSTGRES } from '../database/temporary-store.ts'
import { addStranger, openFixture, refusedAs, scopedTo } from './fixtures.ts'

/** Result codes of SQLite: a failed flush, and a file that is no database. */
const [IOERR_FSYNC, CORRUPT] = [1034, 11]

test('the account shows organization, plan, limits, usage and the current key', async (t) => {
  const { db, caller, now } = await openFixture(t, 'starter')
  const account = createAccountService({ db, now })
  const { organizationId } = caller
  const memory = { id: 'mem_a', organization_id: organizationId, project_id: null, name: 'm', description: null }
  const counters = { document_count: 14, chunk_count: 90, correction_count: 3, storage_bytes: 5_000_000_000 }
  const rest = {
    embedding_model: null,
    chunking: null,
    file: null,
    next_file: null,
    closed_until: null,
    revision: 0,
    created_at: '',
    updated_at: '',
  }
  for (const id of ['mem_a', 'mem_b']) {
    await db.transaction().execute((transaction) => insertMemory(transaction, { ...memory, ...counters, ...rest, id }))
  }
  await account.countQuery(caller)
  assert.deepEqual(await account.get({ ...caller, keyId: 'key_1', keyName: 'CI' }), {
    organization: { id: organizationId, name: 'Default', createdAt: '2026-11-21T08:00:00.000Z' },
    plan: PLANS.starter,
    usage: {
      storageBytes: 10_000_000_000,
      memories: 2,
      documents: 28,
      queries: 1,
      period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
    },
    apiKey: { id: 'key_1', name: 'CI', scope: 'organization', role: 'admin', memoryId: null, memoryIds: [] },
  })
  assert.equal((await account.get(caller)).apiKey, null)
  await assert.rejects(account.get(scopedTo(caller, 'mem_a')), refusedAs('scope_forbidden'))
})

test('queries are counted one by one, by organization and calendar month', async (t) => {
  const { db, caller, now, pass } = await openFixture(t)
  const account = createAccountService({ db, now })
  const stranger = await addStranger(db)
  const counted = async () => (await account.get(caller)).usage.queries
  await Promise.all(Array.from({ length: 50 }, () => account.countQuery(caller)))
  await account.countQuery(scopedTo(caller, 'mem_a'))
  await account.countQuery(stranger)
  assert.equal(await counted(), 51)
  pass(10 * 24 * 3600_000)
  assert.equal(await counted(), 0)
})

test('the last query of the plan is answered and the next refused, also concurrently', async (t) => {
  const { db, caller, now, pass } = await openFixture(t, 'starter')
  const account = createAccountService({ db, now })
  await account.countQuery(caller)
  await db.updateTable('usage').set({ queries: 249_990 }).execute()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => account.countQuery(caller)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10)
  await assert.rejects(account.countQuery(caller), (error: unknown) => {
    assert.ok(refusedAs('query_quota_exceeded')(error))
    const { facts } = error as ApiError
    const extra = { limit: 250_000, used: 250_000, resetDate: '2026-12-01T00:00:00.000Z', planName: 'Starter' }
    assert.deepEqual(facts.extra, extra)
    assert.equal(facts.retryAfterSeconds, (Date.parse(extra.resetDate) - now().getTime()) / 1000)
    return true
  })
  assert.equal((await account.get(caller)).usage.queries, 250_000)
  pass(10 * 24 * 3600_000)
  await account.countQuery(caller)
})

test('a query that the disk takes no count of is answered until the plan is used up', {
  skip: ON_POSTGRES,
}, async (t) => {
  const { db, caller, now } = await openFixture(t, 'starter')
  const ask = (errcode: number) => {
    const failure = toStoreError(Object.assign(new Error('disk I/O error'), { errcode }))
    const connection = () => ({ execute: () => Promise.reject(failure) })
    const failing = new Proxy(db, {
      get: (_, name) => (name === 'connection' ? connection : Reflect.get(db, name).bind(db)),
    })
    return createAccountService({ db: failing, now }).countQuery(caller)
  }
  await ask(IOERR_FSYNC)
  await assert.rejects(ask(CORRUPT), refusedAs('data_damaged'))
  await createAccountService({ db, now }).countQuery(caller)
  await db.updateTable('usage').set({ queries: 250_000 }).execute()
  await assert.rejects(ask(IOERR_FSYNC), refusedAs('query_quota_exceeded'))
})

test('after a query was counted, commits are synchronous again', async (t) => {
  const { db, caller, now } = await openFixture(t)
  await createAccountService({ db, now }).countQuery(caller)
  const state = ON_POSTGRES ? sql`show synchronous_commit` : sql`pragma synchronous`
  const expected = ON_POSTGRES ? { synchronous_commit: 'on' } : { synchronous: 2 }
  assert.deepEqual((await state.execute(db)).rows, [expected])
})
