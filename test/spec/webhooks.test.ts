import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { assertError, assertStatus } from './answer.ts'
import { createService, useService } from './service.ts'
import type { Accepted, Delivery, List, NewWebhook, Webhook } from './shapes.ts'
import { addInBackground, assertFields, endOfJob, makeKey, makeMemory, upload } from './steps.ts'
import { verifies } from './verifies.ts'
import { openWebServer } from './web-server.ts'
import { openReceiver, verifyMessage } from './webhook-receiver.ts'

const receiver = await openReceiver()
/** Not on the allowlist: the service must not contact this host. */
const closed = await openWebServer({ '/': { status: 200 } })
after(() => {
  receiver.close()
  closed.close()
})

const settings = { RECOLLECT_URL_ALLOW_PRIVATE: receiver.host }
const service = useService(settings)

async function makeWebhook(path: string, events?: readonly string[], of = service): Promise<NewWebhook> {
  const body = { url: receiver.url + path, ...(events === undefined ? {} : { events }) }
  const answer = await of.post<NewWebhook>('/v1/webhooks', body)
  assertStatus(answer, 201)
  return answer.json
}

async function listDeliveries(webhookId: string, query = ''): Promise<List<'deliveries', Delivery>> {
  const answer = await service.get<List<'deliveries', Delivery>>(`/v1/webhooks/${webhookId}/deliveries${query}`)
  assertStatus(answer, 200)
  return answer.json
}

async function readWebhook(webhookId: string): Promise<Webhook> {
  const answer = await service.get<Webhook>(`/v1/webhooks/${webhookId}`)
  assertStatus(answer, 200)
  return answer.json
}

test('a webhook is made, listed, read and deleted; its secret is shown once', async () => {
  verifies('beyond.webhooks', 'errors.404.webhook_not_found')
  const made = await service.post<NewWebhook>('/v1/webhooks', { url: `${receiver.url}/made` })
  assertStatus(made, 201)
  const { id, secret } = made.json
  assert.match(id, /^whk_[0-9a-z]{26}$/)
  assert.equal(made.headers.get('location'), `/v1/webhooks/${id}`)
  assertFields(made.json, 'id', 'url', 'events', 'secret', 'status', 'createdAt')
  assert.deepEqual(made.json.events, ['job.completed', 'job.failed', 'job.partial'])
  assert.match(secret, /^whsec_/)
  const bytes = Buffer.from(secret.slice(6), 'base64').length
  assert.ok(bytes >= 24 && bytes <= 64, `${bytes} bytes`)
  const read = await readWebhook(id)
  assert.deepEqual([read.url, read.status, 'secret' in read], [`${receiver.url}/made`, 'enabled', false])
  const list = await service.get<List<'webhooks', Webhook>>('/v1/webhooks')
  assert.equal(list.json.webhooks[0]?.id, id)
  assert.equal(list.text.includes(secret), false)
  assertStatus(await service.delete(`/v1/webhooks/${id}`), 204)
  assertError(await service.delete(`/v1/webhooks/${id}`), 404, 'webhook_not_found')
  assertError(await service.get(`/v1/webhooks/${id}`), 404, 'webhook_not_found')
  assertError(await service.get('/v1/webhooks/nonsense'), 404, 'webhook_not_found')
  assert.equal(service.output().includes(secret), false)
})

test('a repeated request makes no second webhook and shows no secret', async () => {
  verifies('beyond.webhooks', 'beyond.same-rules')
  const request = { headers: { 'idempotency-key': 'webhook-1' } }
  const body = { url: `${receiver.url}/once` }
  const first = await service.post<NewWebhook>('/v1/webhooks', body, request)
  const again = await service.post<NewWebhook>('/v1/webhooks', body, request)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
  assert.deepEqual([again.json.id, again.json.secret], [first.json.id, null])
  assertStatus(await service.delete(`/v1/webhooks/${first.json.id}`), 204)
})

test('only organization keys may touch webhooks', async () => {
  verifies('beyond.webhooks.keys')
  const key = (await makeKey(service, await makeMemory(service))).key
  const { id } = await makeWebhook('/scope')
  const calls: [string, string, unknown?][] = [
    ['GET', '/v1/webhooks'],
    ['POST', '/v1/webhooks', { url: `${receiver.url}/scope` }],
    ['GET', `/v1/webhooks/${id}`],
    ['DELETE', `/v1/webhooks/${id}`],
    ['POST', `/v1/webhooks/${id}/test`],
    ['GET', `/v1/webhooks/${id}/deliveries`],
  ]
  for (const [method, path, body] of calls) {
    assertError(await service.call(method, path, { key, body }), 403, 'scope_forbidden')
  }
  assertStatus(await service.delete(`/v1/webhooks/${id}`), 204)
})

test('the end of a job is sent with the job, signed as specified', async () => {
  verifies('beyond.webhooks.events', 'beyond.webhooks.signed')
  const { id, secret } = await makeWebhook('/told')
  const failures = await makeWebhook('/told-failures', ['job.failed'])
  const memoryId = await makeMemory(service)
  const completed = await addInBackground(service, memoryId, 'Refunds arrive within five days.')
  assertStatus(completed, 202)
  const broken = await upload<Accepted>(service, memoryId, {
    content: '%PDF-1.7 broken',
    filename: 'broken.pdf',
    options: { async: true },
  })
  const scans = await makeScannedPdf([{ scan: 'First clause' }, { scan: 'Second clause' }])
  const partial = await upload<Accepted>(service, memoryId, {
    content: new Uint8Array(scans),
    filename: 'scans.pdf',
    options: { async: true, ocrMaxPages: 1 },
  })
  const messages = await receiver.waitFor('/told', 3)
  const events = messages.map((message) => verifyMessage(secret, message))
  const told = new Map(events.map(({ type, data }) => [type, data]))
  const { jobId } = completed.json
  assert.deepEqual(told.get('job.completed'), (await service.get(`/v1/jobs/${jobId}`)).json)
  assert.deepEqual(told.get('job.failed')?.['id'], broken.json.jobId)
  assert.deepEqual(told.get('job.partial')?.['id'], partial.json.jobId)
  for (const { timestamp } of events) assert.match(timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  for (const { headers } of messages) {
    assert.match(String(headers['webhook-id']), /^msg_/)
    assert.match(String(headers['webhook-timestamp']), /^\d{10}$/)
    assert.match(String(headers['webhook-signature']), /^v1,/)
    assert.equal(headers['content-type'], 'application/json')
  }
  const [failure, ...more] = await receiver.waitFor('/told-failures', 1)
  assert.ok(failure && more.length === 0)
  assert.equal(verifyMessage(failures.secret, failure).type, 'job.failed')
  assert.throws(() => verifyMessage(secret, failure))
  for (const webhookId of [id, failures.id]) assertStatus(await service.delete(`/v1/webhooks/${webhookId}`), 204)
})

test('a cancelled job, and one of a deleted memory, are sent as failed', async () => {
  verifies('beyond.webhooks.ends')
  const { id, secret } = await makeWebhook('/ends', ['job.failed'])
  const memoryId = await makeMemory(service)
  const scans = new Uint8Array(await makeScannedPdf(Array.from({ length: 6 }, () => ({ scan: 'A clause' }))))
  const begin = () => upload<Accepted>(service, memoryId, { content: scans, filename: 'scans.pdf' })
  const cancelled = (await begin()).json.jobId
  assertStatus(await service.post(`/v1/jobs/${cancelled}/cancel`, undefined), 200)
  const orphaned = (await begin()).json.jobId
  assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
  const events = (await receiver.waitFor('/ends', 2)).map((message) => verifyMessage(secret, message).data)
  const codes = new Map(events.map((data) => [data['id'], data['errorCode']]))
  assert.deepEqual([codes.get(cancelled), codes.get(orphaned)], ['cancelled', 'memory_not_found'])
  assertStatus(await service.delete(`/v1/webhooks/${id}`), 204)
})

test('a delivery without 2xx is repeated under the same id; the attempts are listed', async () => {
  verifies('beyond.webhooks.delivery', 'beyond.webhooks.deliveries')
  const { id } = await makeWebhook('/again')
  let count = 0
  receiver.replyWith(({ path }) => {
    if (path !== '/again') return { status: 204 }
    count += 1
    return count === 1 ? { status: 500, body: `<b>no\u0000</b>${'x'.repeat(5000)}` } : { status: 200, body: 'thanks' }
  })
  const { jobId } = (await addInBackground(service, await makeMemory(service), 'A fact.')).json
  const [first, second] = await receiver.waitFor('/again', 2)
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
  assert.equal(first?.body, second?.body)
  let { deliveries, total } = await listDeliveries(id)
  // The receiver gets its response before the service records the attempt.
  while (total < 2) ({ deliveries, total } = await listDeliveries(id))
  const [success, failure] = deliveries
  const { outcome, statusCode, attempt, error } = failure ?? {}
  assert.deepEqual(
    { outcome, statusCode, attempt, error },
    {
      outcome: 'failed',
      statusCode: 500,
      attempt: 1,
      error: 'The receiver returned 500.',
    },
  )
  assert.ok((failure?.response?.length ?? 0) <= 1000)
  assert.ok(Date.parse(failure?.nextAttemptAt ?? '') > Date.parse(failure?.attemptedAt ?? ''))
  assert.deepEqual([success?.outcome, success?.attempt, success?.response], ['delivered', 2, 'thanks'])
  assert.deepEqual([success?.jobId, success?.event, success?.nextAttemptAt], [jobId, 'job.completed', null])
  assert.equal(success?.messageId, first?.headers['webhook-id'])
  const page = await listDeliveries(id, '?limit=1')
  assert.deepEqual([page.deliveries[0]?.id, page.hasMore, page.total], [success?.id, true, 2])
  const next = await listDeliveries(id, `?limit=1&cursor=${page.nextCursor}`)
  assert.deepEqual([next.deliveries[0]?.id, next.hasMore], [failure?.id, false])
  assertError(await service.get('/v1/webhooks/whk_x/deliveries'), 404, 'webhook_not_found')
})

test('a message survives a kill in the middle of its sending', async (t) => {
  verifies('beyond.webhooks.delivery', 'beyond.webhooks.killed')
  const own = createService(settings)
  t.after(() => own.dispose())
  await own.start()
  const { secret } = await makeWebhook('/killed', undefined, own)
  receiver.replyWith(({ path }) => (path === '/killed' ? 'silence' : { status: 204 }))
  const { jobId } = (await addInBackground(own, await makeMemory(own), 'A fact.')).json
  const [before] = await receiver.waitFor('/killed', 1)
  await own.kill()
  receiver.replyWith(() => ({ status: 204 }))
  await own.start()
  const messages = await receiver.waitFor('/killed', 2)
  assert.deepEqual(new Set(messages.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.ok(before)
  for (const message of messages) assert.equal(verifyMessage(secret, message).data['id'], jobId)
})

test('a test message is sent immediately, and its result returned', async () => {
  verifies('beyond.webhooks.test')
  const { id, secret } = await makeWebhook('/tested')
  receiver.replyWith(() => ({ status: 418, body: 'teapot' }))
  const refused = await service.post<Delivery>(`/v1/webhooks/${id}/test`, undefined)
  assertStatus(refused, 200)
  const { outcome, statusCode, response, event } = refused.json
  assert.deepEqual([outcome, statusCode, response, event], ['failed', 418, 'teapot', 'webhook.test'])
  receiver.replyWith(() => ({ status: 200 }))
  const taken = await service.post<Delivery>(`/v1/webhooks/${id}/test`, undefined)
  assert.deepEqual([taken.json.outcome, taken.json.statusCode, taken.json.error], ['delivered', 200, null])
  const [, message] = await receiver.waitFor('/tested', 2)
  assert.ok(message)
  assert.equal(verifyMessage(secret, message).type, 'webhook.test')
  assert.equal((await listDeliveries(id)).total, 2)
  assertStatus(await service.delete(`/v1/webhooks/${id}`), 204)
})

test('410 Gone disables a webhook with the reason; a successful test enables it', async () => {
  verifies('beyond.webhooks.disabled')
  const { id } = await makeWebhook('/gone')
  receiver.replyWith(() => ({ status: 410 }))
  const memoryId = await makeMemory(service)
  await addInBackground(service, memoryId, 'A fact.')
  await receiver.waitFor('/gone', 1)
  let webhook = await readWebhook(id)
  while (webhook.status === 'enabled') webhook = await readWebhook(id)
  assert.match(webhook.disabledReason ?? '', /410 Gone/)
  receiver.replyWith(() => ({ status: 204 }))
  const { jobId } = (await addInBackground(service, memoryId, 'Another fact.')).json
  assert.equal((await endOfJob(service, jobId)).status, 'completed')
  assertStatus(await service.post(`/v1/webhooks/${id}/test`, undefined), 200)
  const { status, disabledReason } = await readWebhook(id)
  assert.deepEqual([status, disabledReason], ['enabled', null])
  assert.equal((await listDeliveries(id)).total, 2)
  assertStatus(await service.delete(`/v1/webhooks/${id}`), 204)
})

test('a URL passes the guard of URL ingest, and redirects are not followed', async () => {
  verifies('beyond.webhooks.delivery', 'beyond.webhooks.guard')
  const refused = [
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    `${closed.url}/`,
    'http://[::1]/',
    'http://0x7f000001/',
    'ftp://hooks.example.com/',
    'https://user:secret@hooks.example.com/',
  ]
  for (const url of refused) assertError(await service.post('/v1/webhooks', { url }), 422, 'url_not_allowed')
  for (const url of ['nonsense', '']) assertError(await service.post('/v1/webhooks', { url }), 400, 'validation_failed')
  const body = { url: receiver.url, events: ['job.started'] }
  assertError(await service.post('/v1/webhooks', body), 400, 'validation_failed')
  assertError(await service.post('/v1/webhooks', { ...body, events: [] }), 400, 'validation_failed', 'events')
  const { id } = await makeWebhook('/moved')
  receiver.replyWith(() => ({ status: 307, headers: { location: closed.url } }))
  const { json } = await service.post<Delivery>(`/v1/webhooks/${id}/test`, undefined)
  assert.deepEqual([json.outcome, json.statusCode, closed.requests.length], ['failed', 307, 0])
  receiver.replyWith(() => ({ status: 204 }))
  assertStatus(await service.delete(`/v1/webhooks/${id}`), 204)
})

test('an organization has 20 webhooks at most', async () => {
  verifies('beyond.webhooks.limit')
  const { total } = (await service.get<List<'webhooks', Webhook>>('/v1/webhooks')).json
  for (let count = total; count < 20; count += 1) await makeWebhook(`/many/${count}`)
  assertError(await service.post('/v1/webhooks', { url: receiver.url }), 403, 'webhook_limit_reached')
})
