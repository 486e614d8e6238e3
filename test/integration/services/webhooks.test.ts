import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { failJobsOfMemory } from '../../../src/database/deletion/jobs-of-deleted-data.ts'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import { listExpiredJobs, reapJob } from '../../../src/database/jobs/job-leases-table.ts'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { createWebhookMaintenance } from '../../../src/services/webhooks/webhook-sender.ts'
import { NO_RESERVE } from '../database/temporary-store.ts'
import { callerOf, MEMORY, noting, ORGANIZATION } from '../jobs/queue.ts'
import { openWebhookFixture, type WebhookFixture } from './webhook-fixture.ts'

const HOUR = 3600_000
const caller = callerOf(ORGANIZATION)
const NEVER = new AbortController().signal

/** Advances the clock by hours in steps and sends due messages. */
async function passHours(fixture: WebhookFixture, hours: number): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 10) {
    fixture.clock.pass(10 * 60_000)
    await fixture.sender.sendDue()
  }
}

function eventOf({ body }: { body: string }): string {
  return JSON.parse(body).type
}

test('webhooks are listed by the clock that all processes share, newest first', async () => {
  await using fixture = await openWebhookFixture()
  const first = await fixture.makeWebhook('https://first.example/')
  fixture.clock.pass(-HOUR)
  const earlier = await fixture.makeWebhook('https://earlier.example/')
  const { webhooks } = await fixture.webhooks.list(caller, { limit: 10, cursor: null })
  assert.deepEqual(
    webhooks.map(({ id }) => id),
    [first.id, earlier.id],
  )
})

test('every end of a job is published in the same transaction', async () => {
  await using fixture = await openWebhookFixture()
  const { db, changes, clock } = fixture
  await fixture.makeWebhook()
  const handlers = { test: noting(async () => {}) }
  const jobs = createJobsService({
    db,
    blobs: NO_RESERVE,
    changes,
    now: clock.now,
    handlers,
    pollMs: 5,
    cancelWaitMs: 5,
  })
  await fixture.endJob('completed')
  await fixture.endJob('partial')
  await fixture.endJob('failed')
  await jobs.cancel(caller, (await fixture.add()).id)
  await fixture.add()
  await claimJobs(db, { limit: 1, leaseMs: 1, token: 'dead', now: clock.now() })
  await db.updateTable('jobs').set({ cancel_requested: 1 }).where('lease_token', '=', 'dead').execute()
  clock.pass(1000)
  for (const dead of await listExpiredJobs(db, { which: 'expired', now: clock.now(), limit: 9 })) {
    await reapJob(db, dead, { pauseMs: 0, failed: async () => {}, now: clock.now() })
  }
  await fixture.add()
  const end = { error: 'the memory was deleted', errorCode: 'memory_not_found', now: clock.now().toISOString() }
  await db.transaction().execute((transaction) => failJobsOfMemory(transaction, MEMORY, end))
  const told = (await fixture.messages()).map(({ event, job }) => [event, JSON.parse(job).error_code])
  assert.deepEqual(told.toSorted(), [
    ['job.completed', null],
    ['job.failed', null],
    ['job.failed', 'cancelled'],
    ['job.failed', 'cancelled'],
    ['job.failed', 'memory_not_found'],
    ['job.partial', null],
  ])
})

test('a rolled-back end of a job is not published', async () => {
  await using fixture = await openWebhookFixture()
  await fixture.makeWebhook()
  const end = { error: 'gone', errorCode: 'memory_not_found', now: fixture.clock.now().toISOString() }
  await fixture.add()
  const rolledBack = fixture.db.transaction().execute(async (transaction) => {
    await failJobsOfMemory(transaction, MEMORY, end)
    throw new Error('the disk is full')
  })
  await assert.rejects(rolledBack)
  assert.equal((await fixture.messages()).length, 0)
})

test('a message is the job as it ended, signed; only what was asked for is sent, and only once', async () => {
  await using fixture = await openWebhookFixture()
  fixture.clock.pass(Date.now() - fixture.clock.now().getTime())
  const { secret } = await fixture.makeWebhook()
  await fixture.webhooks.create(caller, { url: 'https://hooks.example/failed', events: ['job.failed'] })
  const job = await fixture.endJob('completed')
  await fixture.sender.sendDue()
  await fixture.sender.sendDue()
  const [message, ...more] = fixture.received
  assert.ok(message)
  assert.equal(more.length, 0)
  const { type, timestamp, data } = new Webhook(secret).verify(message.body, { ...message.headers }) as {
    type: string
    timestamp: string
    data: Record<string, unknown>
  }
  assert.deepEqual([type, timestamp], ['job.completed', job.completed_at])
  assert.deepEqual([data['id'], data['status'], data['memoryId']], [job.id, 'completed', MEMORY])
  assert.equal('payload' in data, false)
  assert.equal((await fixture.messages()).length, 0)
})

test('a failed message is sent again with growing pauses for 24 hours under one id, then dropped', async () => {
  await using fixture = await openWebhookFixture()
  fixture.answer(async () => 500)
  const { id } = await fixture.makeWebhook()
  await fixture.endJob()
  await fixture.sender.sendDue()
  await passHours(fixture, 30)
  const ids = new Set(fixture.received.map(({ headers }) => headers['webhook-id']))
  assert.equal(ids.size, 1)
  const [first] = fixture.received
  const hours = fixture.received.map(({ at }) => (at.getTime() - (first?.at.getTime() ?? 0)) / HOUR)
  assert.ok(hours.length >= 9, `${hours}`)
  assert.ok((hours.at(-1) ?? 0) > 20 && (hours.at(-1) ?? 99) <= 24, `${hours}`)
  assert.equal((await fixture.messages()).length, 0)
  const { deliveries, total } = await fixture.webhooks.listDeliveries(caller, id, { limit: 100, cursor: null })
  assert.equal(total, hours.length)
  assert.deepEqual([deliveries[0]?.attempt, deliveries[0]?.nextAttemptAt], [hours.length, null])
  assert.notEqual(deliveries[1]?.nextAttemptAt, null)
  assert.equal((await fixture.webhooks.get(caller, id)).status, 'enabled')
})

test('each attempt has a new signature, so that receivers may refuse old ones', async () => {
  await using fixture = await openWebhookFixture()
  fixture.answer(async () => 503)
  await fixture.makeWebhook()
  await fixture.endJob()
  await fixture.sender.sendDue()
  await passHours(fixture, 1)
  const stamps = fixture.received.map(({ headers, at }) => [
    headers['webhook-timestamp'],
    Math.floor(at.getTime() / 1000),
  ])
  assert.ok(stamps.length > 2)
  for (const [stamp, at] of stamps) assert.equal(stamp, String(at))
})

test('a receiver may ask to be left alone for a while', async () => {
  await using fixture = await openWebhookFixture()
  fixture.answer(async () => ({ status: 429, retryAfter: '600' }))
  await fixture.makeWebhook()
  await fixture.endJob()
  await fixture.sender.sendDue()
  fixture.clock.pass(599_000)
  await fixture.sender.sendDue()
  assert.equal(fixture.received.length, 1)
  fixture.clock.pass(2000)
  await fixture.sender.sendDue()
  assert.equal(fixture.received.length, 2)
})

test('only a 2xx is a delivery; what was answered is kept, shortened and without control characters', async () => {
  await using fixture = await openWebhookFixture()
  const { id } = await fixture.makeWebhook()
  for (const status of [200, 204, 301, 404]) {
    fixture.answer(async () => ({ status, body: `a\u0000b${'x'.repeat(5000)}` }))
    await fixture.endJob()
    await fixture.sender.sendDue()
  }
  fixture.answer(async () => new ApiError('url_fetch_failed', { message: 'The message could not be delivered: no.' }))
  await fixture.endJob()
  await fixture.sender.sendDue()
  const { deliveries } = await fixture.webhooks.listDeliveries(caller, id, { limit: 100, cursor: null })
  const seen = deliveries.map(({ outcome, statusCode, error }) => [outcome, statusCode, error])
  assert.deepEqual(seen.toSorted(), [
    ['delivered', 200, null],
    ['delivered', 204, null],
    ['failed', null, 'The message could not be delivered: no.'],
    ['failed', 301, 'The receiver returned 301. Redirects are not followed.'],
    ['failed', 404, 'The receiver returned 404.'],
  ])
  for (const { response } of deliveries.filter(({ statusCode }) => statusCode !== null)) {
    assert.equal(response, `a\ufffdb${'x'.repeat(997)}`)
  }
})

test('410 Gone disables a webhook immediately and drops its waiting messages', async () => {
  await using fixture = await openWebhookFixture()
  const { id } = await fixture.makeWebhook()
  fixture.answer(async () => 500)
  await fixture.endJob()
  await fixture.sender.sendDue()
  fixture.answer(async () => 410)
  await fixture.endJob()
  await fixture.sender.sendDue()
  const webhook = await fixture.webhooks.get(caller, id)
  assert.deepEqual([webhook.status, webhook.waiting], ['disabled', 0])
  assert.match(webhook.disabledReason ?? '', /410/)
  await fixture.endJob()
  assert.equal((await fixture.messages()).length, 0)
})

test('a webhook whose attempts all failed for 72 hours is disabled, with the reason', async () => {
  await using fixture = await openWebhookFixture()
  fixture.answer(async () => 500)
  const { id } = await fixture.makeWebhook()
  for (let day = 0; day < 3; day += 1) {
    await fixture.endJob()
    await passHours(fixture, 24)
    assert.equal((await fixture.webhooks.get(caller, id)).status, day < 2 ? 'enabled' : 'enabled', `day ${day}`)
  }
  await fixture.endJob()
  await passHours(fixture, 1)
  const { status, disabledReason, consecutiveFailures } = await fixture.webhooks.get(caller, id)
  assert.equal(status, 'disabled')
  assert.ok(consecutiveFailures >= 10)
  assert.match(disabledReason ?? '', new RegExp(`The last ${consecutiveFailures} attempts have failed since 2024-11-`))
})

test('one success ends a run of failures', async () => {
  await using fixture = await openWebhookFixture()
  fixture.answer(async () => 500)
  const { id } = await fixture.makeWebhook()
  for (let day = 0; day < 5; day += 1) {
    await fixture.endJob()
    await passHours(fixture, 12)
    fixture.answer(async () => 200)
    await passHours(fixture, 5)
    fixture.answer(async () => 500)
    await passHours(fixture, 7)
  }
  assert.equal((await fixture.webhooks.get(caller, id)).status, 'enabled')
})

test('a successful test enables a disabled webhook and sends its waiting messages; a failed one changes nothing', async () => {
  await using fixture = await openWebhookFixture()
  const { id } = await fixture.makeWebhook()
  fixture.answer(async () => 410)
  await fixture.endJob()
  await fixture.sender.sendDue()
  const failed = await fixture.webhooks.test(caller, id, { signal: NEVER })
  assert.deepEqual([failed.outcome, failed.statusCode, failed.event], ['failed', 410, 'webhook.test'])
  assert.equal((await fixture.webhooks.get(caller, id)).status, 'disabled')
  fixture.answer(async () => 200)
  const arrived = await fixture.webhooks.test(caller, id, { signal: NEVER })
  assert.deepEqual([arrived.outcome, arrived.response], ['delivered', 'thanks'])
  const { status, disabledReason } = await fixture.webhooks.get(caller, id)
  assert.deepEqual([status, disabledReason], ['enabled', null])

  fixture.answer(async () => 500)
  await fixture.endJob()
  await fixture.sender.sendDue()
  fixture.answer(async () => 200)
  await fixture.webhooks.test(caller, id, { signal: NEVER })
  await fixture.sender.sendDue()
  assert.equal((await fixture.messages()).length, 0)
  assert.equal(fixture.received.map(eventOf).filter((event) => event === 'webhook.test').length, 3)
})

test('deleting a webhook drops its messages, also ones being sent', async () => {
  await using fixture = await openWebhookFixture()
  const { id } = await fixture.makeWebhook()
  fixture.answer(async () => {
    await fixture.webhooks.delete(caller, id)
    return 500
  })
  await fixture.endJob()
  await fixture.endJob()
  await fixture.sender.sendDue()
  assert.deepEqual([await fixture.messages(), await fixture.deliveries()], [[], []])
  await assert.rejects(fixture.webhooks.get(caller, id), { code: 'webhook_not_found' })
})

test('a slow receiver delays neither other webhooks nor other organizations', async () => {
  await using fixture = await openWebhookFixture()
  const slow = Promise.withResolvers<number>()
  fixture.answer(({ url }) => (url.includes('slow') ? slow.promise : Promise.resolve(200)))
  await fixture.makeWebhook('https://hooks.example/slow')
  for (let count = 0; count < 50; count += 1) await fixture.endJob()
  const other = newId('org')
  await fixture.makeWebhook('https://hooks.example/quick')
  await fixture.makeWebhook('https://hooks.example/other', other)
  await fixture.endJob()
  await fixture.endJob('completed', other)
  const sending = fixture.sender.sendDue()
  while (fixture.received.filter(({ url }) => !url.includes('slow')).length < 2) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const onTheirWay = fixture.received.filter(({ url }) => url.includes('slow')).length
  assert.ok(onTheirWay <= 4, `${onTheirWay} on their way to the slow one`)
  slow.resolve(200)
  await sending
  assert.equal(fixture.received.filter(({ url }) => url.includes('slow')).length, 51)
})

test('a webhook that fails gets one message at a time', async () => {
  await using fixture = await openWebhookFixture()
  let [now, most] = [0, 0]
  fixture.answer(async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    return 500
  })
  await fixture.makeWebhook()
  await fixture.endJob()
  await fixture.sender.sendDue()
  for (let count = 0; count < 20; count += 1) await fixture.endJob()
  await fixture.sender.sendDue()
  assert.deepEqual([most, fixture.received.length], [1, 21])
})

test('two senders send each message once', async () => {
  await using fixture = await openWebhookFixture()
  await fixture.makeWebhook()
  await fixture.makeWebhook('https://hooks.example/b')
  for (let count = 0; count < 20; count += 1) await fixture.endJob()
  await Promise.all([fixture.sender.sendDue(), fixture.openSender().sendDue()])
  assert.equal(new Set(fixture.received.map(({ headers }) => headers['webhook-id'])).size, 40)
  assert.equal(fixture.received.length, 40)
})

test('a message of a dead sender is sent after its lease has expired', async () => {
  await using fixture = await openWebhookFixture()
  await fixture.makeWebhook()
  await fixture.endJob()
  const lease_expires_at = new Date(fixture.clock.now().getTime() + 60_000).toISOString()
  await fixture.db.updateTable('webhook_messages').set({ lease_token: 'dead', lease_expires_at }).execute()
  await fixture.sender.sendDue()
  assert.equal(fixture.received.length, 0)
  fixture.sender.start()
  while (fixture.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await fixture.sender.stop()
  assert.equal((await fixture.messages()).length, 0)
})

test('attempts are kept for 30 days, and the newest 1,000 of a webhook', async () => {
  await using fixture = await openWebhookFixture()
  const { id } = await fixture.makeWebhook()
  await fixture.endJob()
  await fixture.sender.sendDue()
  const [row] = await fixture.deliveries()
  assert.ok(row)
  const rows = Array.from({ length: 1100 }, (_, index) => ({
    ...row,
    id: newId('dlv'),
    attempted_at: new Date(Date.parse(row.attempted_at) + index + 1).toISOString(),
  }))
  for (let start = 0; start < rows.length; start += 100) {
    await fixture.db
      .insertInto('webhook_deliveries')
      .values(rows.slice(start, start + 100))
      .execute()
  }
  await createWebhookMaintenance({ db: fixture.db, now: fixture.clock.now })()
  const kept = await fixture.deliveries()
  assert.deepEqual([kept.length, kept.at(-1)?.id], [1000, rows.at(-1)?.id])
  fixture.clock.pass(31 * 24 * HOUR)
  await createWebhookMaintenance({ db: fixture.db, now: fixture.clock.now })()
  assert.equal((await fixture.webhooks.listDeliveries(caller, id, { limit: 1, cursor: null })).total, 0)
})

test('messages postponed by a clock set back are due', async () => {
  await using fixture = await openWebhookFixture()
  await fixture.makeWebhook()
  await fixture.endJob()
  const tomorrow = new Date(fixture.clock.now().getTime() + 24 * HOUR).toISOString()
  await fixture.db.updateTable('webhook_messages').set({ next_attempt_at: tomorrow }).execute()
  await createWebhookMaintenance({ db: fixture.db, now: fixture.clock.now })()
  await fixture.sender.sendDue()
  assert.equal(fixture.received.length, 1)
})

test('an organization has 20 webhooks at most, sees its own alone, and a key of a memory sees none', async () => {
  await using fixture = await openWebhookFixture()
  const { id } = await fixture.makeWebhook()
  for (let count = 1; count < 20; count += 1) await fixture.makeWebhook()
  await assert.rejects(fixture.makeWebhook(), { code: 'webhook_limit_reached' })
  const stranger = callerOf(newId('org'))
  await assert.rejects(fixture.webhooks.get(stranger, id), { code: 'webhook_not_found' })
  await assert.rejects(fixture.webhooks.delete(stranger, id), { code: 'webhook_not_found' })
  await assert.rejects(fixture.webhooks.test(stranger, id, { signal: NEVER }), { code: 'webhook_not_found' })
  const ofMemory = callerOf(ORGANIZATION, MEMORY)
  await assert.rejects(fixture.webhooks.list(ofMemory, { limit: 1, cursor: null }), { code: 'scope_forbidden' })
  await assert.rejects(fixture.webhooks.delete(ofMemory, id), { code: 'scope_forbidden' })
})
