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
import { openWebhookHouse, type WebhookHouse } from './webhook-house.ts'

const HOUR = 3600_000
const caller = callerOf(ORGANIZATION)
const NEVER = new AbortController().signal

/** Advances the clock by hours in steps and sends due messages. */
async function passHours(house: WebhookHouse, hours: number): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 10) {
    house.clock.pass(10 * 60_000)
    await house.sender.sendDue()
  }
}

function eventOf({ body }: { body: string }): string {
  return JSON.parse(body).type
}

test('webhooks are listed by the clock that all processes share, newest first', async () => {
  await using house = await openWebhookHouse()
  const first = await house.makeWebhook('https://first.example/')
  house.clock.pass(-HOUR)
  const earlier = await house.makeWebhook('https://earlier.example/')
  const { webhooks } = await house.webhooks.list(caller, { limit: 10, cursor: null })
  assert.deepEqual(
    webhooks.map(({ id }) => id),
    [first.id, earlier.id],
  )
})

test('every end of a job is published in the same transaction', async () => {
  await using house = await openWebhookHouse()
  const { db, changes, clock } = house
  await house.makeWebhook()
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
  await house.endJob('completed')
  await house.endJob('partial')
  await house.endJob('failed')
  await jobs.cancel(caller, (await house.add()).id)
  await house.add()
  await claimJobs(db, { limit: 1, leaseMs: 1, token: 'dead', now: clock.now() })
  await db.updateTable('jobs').set({ cancel_requested: 1 }).where('lease_token', '=', 'dead').execute()
  clock.pass(1000)
  for (const dead of await listExpiredJobs(db, { which: 'expired', now: clock.now(), limit: 9 })) {
    await reapJob(db, dead, { pauseMs: 0, failed: async () => {}, now: clock.now() })
  }
  await house.add()
  const end = { error: 'the memory was deleted', errorCode: 'memory_not_found', now: clock.now().toISOString() }
  await db.transaction().execute((transaction) => failJobsOfMemory(transaction, MEMORY, end))
  const told = (await house.messages()).map(({ event, job }) => [event, JSON.parse(job).error_code])
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
  await using house = await openWebhookHouse()
  await house.makeWebhook()
  const end = { error: 'gone', errorCode: 'memory_not_found', now: house.clock.now().toISOString() }
  await house.add()
  const rolledBack = house.db.transaction().execute(async (transaction) => {
    await failJobsOfMemory(transaction, MEMORY, end)
    throw new Error('the disk is full')
  })
  await assert.rejects(rolledBack)
  assert.equal((await house.messages()).length, 0)
})

test('a message is the job as it ended, signed; only what was asked for is sent, and only once', async () => {
  await using house = await openWebhookHouse()
  house.clock.pass(Date.now() - house.clock.now().getTime())
  const { secret } = await house.makeWebhook()
  await house.webhooks.create(caller, { url: 'https://hooks.example/failed', events: ['job.failed'] })
  const job = await house.endJob('completed')
  await house.sender.sendDue()
  await house.sender.sendDue()
  const [message, ...more] = house.received
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
  assert.equal((await house.messages()).length, 0)
})

test('a failed message is sent again with growing pauses for 24 hours under one id, then dropped', async () => {
  await using house = await openWebhookHouse()
  house.answer(async () => 500)
  const { id } = await house.makeWebhook()
  await house.endJob()
  await house.sender.sendDue()
  await passHours(house, 30)
  const ids = new Set(house.received.map(({ headers }) => headers['webhook-id']))
  assert.equal(ids.size, 1)
  const [first] = house.received
  const hours = house.received.map(({ at }) => (at.getTime() - (first?.at.getTime() ?? 0)) / HOUR)
  assert.ok(hours.length >= 9, `${hours}`)
  assert.ok((hours.at(-1) ?? 0) > 20 && (hours.at(-1) ?? 99) <= 24, `${hours}`)
  assert.equal((await house.messages()).length, 0)
  const { deliveries, total } = await house.webhooks.listDeliveries(caller, id, { limit: 100, cursor: null })
  assert.equal(total, hours.length)
  assert.deepEqual([deliveries[0]?.attempt, deliveries[0]?.nextAttemptAt], [hours.length, null])
  assert.notEqual(deliveries[1]?.nextAttemptAt, null)
  assert.equal((await house.webhooks.get(caller, id)).status, 'enabled')
})

test('each attempt has a new signature, so that receivers may refuse old ones', async () => {
  await using house = await openWebhookHouse()
  house.answer(async () => 503)
  await house.makeWebhook()
  await house.endJob()
  await house.sender.sendDue()
  await passHours(house, 1)
  const stamps = house.received.map(({ headers, at }) => [
    headers['webhook-timestamp'],
    Math.floor(at.getTime() / 1000),
  ])
  assert.ok(stamps.length > 2)
  for (const [stamp, at] of stamps) assert.equal(stamp, String(at))
})

test('a receiver may ask to be left alone for a while', async () => {
  await using house = await openWebhookHouse()
  house.answer(async () => ({ status: 429, retryAfter: '600' }))
  await house.makeWebhook()
  await house.endJob()
  await house.sender.sendDue()
  house.clock.pass(599_000)
  await house.sender.sendDue()
  assert.equal(house.received.length, 1)
  house.clock.pass(2000)
  await house.sender.sendDue()
  assert.equal(house.received.length, 2)
})

test('only a 2xx is a delivery; what was answered is kept, shortened and without control characters', async () => {
  await using house = await openWebhookHouse()
  const { id } = await house.makeWebhook()
  for (const status of [200, 204, 301, 404]) {
    house.answer(async () => ({ status, body: `a\u0000b${'x'.repeat(5000)}` }))
    await house.endJob()
    await house.sender.sendDue()
  }
  house.answer(async () => new ApiError('url_fetch_failed', { message: 'The message could not be delivered: no.' }))
  await house.endJob()
  await house.sender.sendDue()
  const { deliveries } = await house.webhooks.listDeliveries(caller, id, { limit: 100, cursor: null })
  const seen = deliveries.map(({ outcome, statusCode, error }) => [outcome, statusCode, error])
  assert.deepEqual(seen.toSorted(), [
    ['delivered', 200, null],
    ['delivered', 204, null],
    ['failed', null, 'The message could not be delivered: no.'],
    ['failed', 301, 'The receiver answered 301, and redirects are not followed.'],
    ['failed', 404, 'The receiver answered 404.'],
  ])
  for (const { response } of deliveries.filter(({ statusCode }) => statusCode !== null)) {
    assert.equal(response, `a\ufffdb${'x'.repeat(997)}`)
  }
})

test('410 Gone disables a webhook immediately and drops its waiting messages', async () => {
  await using house = await openWebhookHouse()
  const { id } = await house.makeWebhook()
  house.answer(async () => 500)
  await house.endJob()
  await house.sender.sendDue()
  house.answer(async () => 410)
  await house.endJob()
  await house.sender.sendDue()
  const webhook = await house.webhooks.get(caller, id)
  assert.deepEqual([webhook.status, webhook.waiting], ['disabled', 0])
  assert.match(webhook.disabledReason ?? '', /410/)
  await house.endJob()
  assert.equal((await house.messages()).length, 0)
})

test('a webhook whose attempts all failed for 72 hours is disabled, with the reason', async () => {
  await using house = await openWebhookHouse()
  house.answer(async () => 500)
  const { id } = await house.makeWebhook()
  for (let day = 0; day < 3; day += 1) {
    await house.endJob()
    await passHours(house, 24)
    assert.equal((await house.webhooks.get(caller, id)).status, day < 2 ? 'enabled' : 'enabled', `day ${day}`)
  }
  await house.endJob()
  await passHours(house, 1)
  const { status, disabledReason, consecutiveFailures } = await house.webhooks.get(caller, id)
  assert.equal(status, 'disabled')
  assert.ok(consecutiveFailures >= 10)
  assert.match(disabledReason ?? '', new RegExp(`The last ${consecutiveFailures} attempts failed, since 2024-11-`))
})

test('one success ends a run of failures', async () => {
  await using house = await openWebhookHouse()
  house.answer(async () => 500)
  const { id } = await house.makeWebhook()
  for (let day = 0; day < 5; day += 1) {
    await house.endJob()
    await passHours(house, 12)
    house.answer(async () => 200)
    await passHours(house, 5)
    house.answer(async () => 500)
    await passHours(house, 7)
  }
  assert.equal((await house.webhooks.get(caller, id)).status, 'enabled')
})

test('a successful test enables a disabled webhook and sends its waiting messages; a failed one changes nothing', async () => {
  await using house = await openWebhookHouse()
  const { id } = await house.makeWebhook()
  house.answer(async () => 410)
  await house.endJob()
  await house.sender.sendDue()
  const failed = await house.webhooks.test(caller, id, { signal: NEVER })
  assert.deepEqual([failed.outcome, failed.statusCode, failed.event], ['failed', 410, 'webhook.test'])
  assert.equal((await house.webhooks.get(caller, id)).status, 'disabled')
  house.answer(async () => 200)
  const arrived = await house.webhooks.test(caller, id, { signal: NEVER })
  assert.deepEqual([arrived.outcome, arrived.response], ['delivered', 'thanks'])
  const { status, disabledReason } = await house.webhooks.get(caller, id)
  assert.deepEqual([status, disabledReason], ['enabled', null])

  house.answer(async () => 500)
  await house.endJob()
  await house.sender.sendDue()
  house.answer(async () => 200)
  await house.webhooks.test(caller, id, { signal: NEVER })
  await house.sender.sendDue()
  assert.equal((await house.messages()).length, 0)
  assert.equal(house.received.map(eventOf).filter((event) => event === 'webhook.test').length, 3)
})

test('deleting a webhook drops its messages, also ones being sent', async () => {
  await using house = await openWebhookHouse()
  const { id } = await house.makeWebhook()
  house.answer(async () => {
    await house.webhooks.delete(caller, id)
    return 500
  })
  await house.endJob()
  await house.endJob()
  await house.sender.sendDue()
  assert.deepEqual([await house.messages(), await house.deliveries()], [[], []])
  await assert.rejects(house.webhooks.get(caller, id), { code: 'webhook_not_found' })
})

test('a slow receiver delays neither other webhooks nor other organizations', async () => {
  await using house = await openWebhookHouse()
  const slow = Promise.withResolvers<number>()
  house.answer(({ url }) => (url.includes('slow') ? slow.promise : Promise.resolve(200)))
  await house.makeWebhook('https://hooks.example/slow')
  for (let count = 0; count < 50; count += 1) await house.endJob()
  const other = newId('org')
  await house.makeWebhook('https://hooks.example/quick')
  await house.makeWebhook('https://hooks.example/other', other)
  await house.endJob()
  await house.endJob('completed', other)
  const sending = house.sender.sendDue()
  while (house.received.filter(({ url }) => !url.includes('slow')).length < 2) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const onTheirWay = house.received.filter(({ url }) => url.includes('slow')).length
  assert.ok(onTheirWay <= 4, `${onTheirWay} on their way to the slow one`)
  slow.resolve(200)
  await sending
  assert.equal(house.received.filter(({ url }) => url.includes('slow')).length, 51)
})

test('a webhook that fails gets one message at a time', async () => {
  await using house = await openWebhookHouse()
  let [now, most] = [0, 0]
  house.answer(async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    return 500
  })
  await house.makeWebhook()
  await house.endJob()
  await house.sender.sendDue()
  for (let count = 0; count < 20; count += 1) await house.endJob()
  await house.sender.sendDue()
  assert.deepEqual([most, house.received.length], [1, 21])
})

test('two senders send each message once', async () => {
  await using house = await openWebhookHouse()
  await house.makeWebhook()
  await house.makeWebhook('https://hooks.example/b')
  for (let count = 0; count < 20; count += 1) await house.endJob()
  await Promise.all([house.sender.sendDue(), house.openSender().sendDue()])
  assert.equal(new Set(house.received.map(({ headers }) => headers['webhook-id'])).size, 40)
  assert.equal(house.received.length, 40)
})

test('a message of a dead sender is sent after its lease has expired', async () => {
  await using house = await openWebhookHouse()
  await house.makeWebhook()
  await house.endJob()
  const lease_expires_at = new Date(house.clock.now().getTime() + 60_000).toISOString()
  await house.db.updateTable('webhook_messages').set({ lease_token: 'dead', lease_expires_at }).execute()
  await house.sender.sendDue()
  assert.equal(house.received.length, 0)
  house.sender.start()
  while (house.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await house.sender.stop()
  assert.equal((await house.messages()).length, 0)
})

test('attempts are kept for 30 days, and the newest 1,000 of a webhook', async () => {
  await using house = await openWebhookHouse()
  const { id } = await house.makeWebhook()
  await house.endJob()
  await house.sender.sendDue()
  const [row] = await house.deliveries()
  assert.ok(row)
  const rows = Array.from({ length: 1100 }, (_, index) => ({
    ...row,
    id: newId('dlv'),
    attempted_at: new Date(Date.parse(row.attempted_at) + index + 1).toISOString(),
  }))
  for (let start = 0; start < rows.length; start += 100) {
    await house.db
      .insertInto('webhook_deliveries')
      .values(rows.slice(start, start + 100))
      .execute()
  }
  await createWebhookMaintenance({ db: house.db, now: house.clock.now })()
  const kept = await house.deliveries()
  assert.deepEqual([kept.length, kept.at(-1)?.id], [1000, rows.at(-1)?.id])
  house.clock.pass(31 * 24 * HOUR)
  await createWebhookMaintenance({ db: house.db, now: house.clock.now })()
  assert.equal((await house.webhooks.listDeliveries(caller, id, { limit: 1, cursor: null })).total, 0)
})

test('messages postponed by a clock set back are due', async () => {
  await using house = await openWebhookHouse()
  await house.makeWebhook()
  await house.endJob()
  const tomorrow = new Date(house.clock.now().getTime() + 24 * HOUR).toISOString()
  await house.db.updateTable('webhook_messages').set({ next_attempt_at: tomorrow }).execute()
  await createWebhookMaintenance({ db: house.db, now: house.clock.now })()
  await house.sender.sendDue()
  assert.equal(house.received.length, 1)
})

test('an organization has 20 webhooks at most, sees its own alone, and a key of a memory sees none', async () => {
  await using house = await openWebhookHouse()
  const { id } = await house.makeWebhook()
  for (let count = 1; count < 20; count += 1) await house.makeWebhook()
  await assert.rejects(house.makeWebhook(), { code: 'webhook_limit_reached' })
  const stranger = callerOf(newId('org'))
  await assert.rejects(house.webhooks.get(stranger, id), { code: 'webhook_not_found' })
  await assert.rejects(house.webhooks.delete(stranger, id), { code: 'webhook_not_found' })
  await assert.rejects(house.webhooks.test(stranger, id, { signal: NEVER }), { code: 'webhook_not_found' })
  const ofMemory = callerOf(ORGANIZATION, MEMORY)
  await assert.rejects(house.webhooks.list(ofMemory, { limit: 1, cursor: null }), { code: 'scope_forbidden' })
  await assert.rejects(house.webhooks.delete(ofMemory, id), { code: 'scope_forbidden' })
})
