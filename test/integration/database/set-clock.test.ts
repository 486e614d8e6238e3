import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clampDueTimes, shiftDueTimes } from '../../../src/database/database-clock.ts'
import { openIntents } from '../../../src/database/deletion/intents-table.ts'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import { acquireLease, countRequest, recordHeartbeat } from '../../../src/database/process-tables.ts'
import { ORGANIZATION, openQueue, type Queue } from '../jobs/queue.ts'
import { ON_POSTGRES } from './temporary-store.ts'

const DAY_MS = 24 * 3_600_000
const LEASE_MS = 30_000
const TURN_MS = 150_000

/** One item of every waiting kind, and a finished job. */
async function fill({ db, add, clock }: Queue) {
  const [running, waiting] = [await add(), await add()]
  const claim = { limit: 1, leaseMs: LEASE_MS, token: 'token', now: clock.now() }
  assert.equal((await claimJobs(db, claim)).length, 1)
  const at = clock.now().toISOString()
  await openIntents(db, { memoryId: running.memory_id, documentIds: ['doc_1'], owner: 'one', at })
  await acquireLease(db, { name: 'task', owner: 'one', now: clock.now(), leaseMs: LEASE_MS })
  await recordHeartbeat(db, { id: 'one', now: clock.now() })
  await countRequest(db, { name: ORGANIZATION, now: clock.now(), windowMs: 60_000 })
  const message = {
    webhook_id: 'whk_1',
    organization_id: ORGANIZATION,
    event: 'job.completed',
    job_id: running.id,
    job: '{}',
  }
  const sent = { attempts: 1, lease_token: 'token', lease_expires_at: at, next_attempt_at: at, created_at: at }
  await db
    .insertInto('webhook_messages')
    .values({ id: 'msg_1', ...message, ...sent })
    .execute()
  return { running, waiting }
}

async function readTimes({ db }: Queue) {
  const jobs = await db.selectFrom('jobs').selectAll().orderBy('id').execute()
  const one = async (table: 'intents', column: 'created_at') =>
    (await db.selectFrom(table).select(column).executeTakeFirstOrThrow())[column]
  return {
    leases: jobs.map(({ lease_expires_at }) => lease_expires_at),
    turns: jobs.filter(({ status }) => status === 'pending').map(({ run_after }) => run_after),
    intent: await one('intents', 'created_at'),
    message: await db
      .selectFrom('webhook_messages')
      .select(['next_attempt_at', 'lease_expires_at'])
      .executeTakeFirstOrThrow(),
  }
}

const after = (text: string, ms: number) => new Date(Date.parse(text) + ms).toISOString()

for (const byMs of [DAY_MS + 123, -DAY_MS - 7]) {
  test(`waiting items move with a changed clock, to the millisecond (${byMs} ms)`, {
    skip: ON_POSTGRES,
  }, async () => {
    await using queue = await openQueue()
    await fill(queue)
    const before = await readTimes(queue)
    await shiftDueTimes(queue.db, byMs)
    assert.deepEqual(await readTimes(queue), {
      leases: before.leases.map((lease) => (lease === null ? null : after(lease, byMs))),
      turns: before.turns.map((turn) => after(turn, byMs)),
      intent: after(before.intent, byMs),
      message: {
        next_attempt_at: after(before.message.next_attempt_at, byMs),
        lease_expires_at: after(before.message.lease_expires_at ?? '', byMs),
      },
    })
  })
}

test('after an unnoticed clock change backwards, nothing waits for the difference', async () => {
  await using queue = await openQueue()
  const { waiting, running } = await fill(queue)
  const { db, clock } = queue
  clock.pass(-DAY_MS)
  const claim = { limit: 1, leaseMs: LEASE_MS, token: 'other', now: clock.now() }
  assert.deepEqual(await claimJobs(db, claim), [])
  await clampDueTimes(db, { now: clock.now(), turnMs: TURN_MS, leaseMs: LEASE_MS })
  assert.deepEqual(
    (await claimJobs(db, claim)).map(({ id }) => id),
    [waiting.id],
  )
  assert.equal((await queue.read(running.id)).lease_expires_at, after(clock.now().toISOString(), LEASE_MS))
  const task = { name: 'task', owner: 'two', leaseMs: LEASE_MS }
  assert.equal(await acquireLease(db, { ...task, now: clock.now() }), false)
  clock.pass(LEASE_MS + 1)
  assert.equal(await acquireLease(db, { ...task, now: clock.now() }), true)
  const { requests } = await countRequest(db, { name: ORGANIZATION, now: clock.now(), windowMs: 60_000 })
  assert.equal(requests, 1)
})

test('without a clock change nothing moves', async () => {
  await using queue = await openQueue()
  await fill(queue)
  const before = await readTimes(queue)
  await clampDueTimes(queue.db, { now: queue.clock.now(), turnMs: TURN_MS, leaseMs: LEASE_MS })
  assert.deepEqual(await readTimes(queue), before)
  const { requests } = await countRequest(queue.db, { name: ORGANIZATION, now: queue.clock.now(), windowMs: 60_000 })
  assert.equal(requests, 2)
})
