import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import {
  chooseNextAttempt,
  MAX_RETRY_DELAY_MS,
  newWebhookSecret,
  readRetryAfterMs,
  signMessage,
} from './attempt-delivery.ts'

test('generates distinct secrets of whsec_ and 32 bytes in base64', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  for (const secret of secrets) {
    assert.match(secret, /^whsec_/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
  }
  assert.notEqual(secrets[0], secrets[1])
})

test('produces signatures that the reference library accepts only for the message', () => {
  const secret = newWebhookSecret()
  const body = '{"type":"job.completed","data":{"message":"„ß“ 漢"}}'
  const headers = signMessage(secret, { id: 'msg_1', at: new Date(), body })
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
  assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' }))
  assert.throws(() => new Webhook(newWebhookSecret()).verify(body, headers))
})

const BEGIN = new Date('2026-11-21T08:00:00.000Z')
const middle = () => 0.5
const SECOND = 1000
const HOUR = 3600 * SECOND

/** Delays of a message whose attempts all fail immediately. */
function pauses(random: () => number, retryAfterMs: number | null = null): number[] {
  const found: number[] = []
  for (let now = BEGIN, attempts = 1; ; attempts += 1) {
    const next = chooseNextAttempt({ attempts, createdAt: BEGIN, now, retryAfterMs }, random)
    if (next === null) return found
    found.push(next.getTime() - now.getTime())
    now = next
  }
}

test('increases delays from five seconds to four hours, for 24 hours', () => {
  const found = pauses(middle)
  assert.deepEqual(
    found.slice(0, 7),
    [5, 20, 80, 320, 1280, 5120, 4 * 3600].map((seconds) => seconds * SECOND),
  )
  const totalMs = found.reduce((sum, pause) => sum + pause, 0)
  assert.ok(totalMs > 20 * HOUR && totalMs <= 24 * HOUR, `${totalMs}`)
})

test('applies jitter of at most a fifth, within the maximum delay', () => {
  assert.equal(pauses(() => 0)[0], 4 * SECOND)
  assert.ok((pauses(() => 0.999)[0] ?? 0) <= 6 * SECOND)
  assert.ok(Math.max(...pauses(() => 0.999)) <= MAX_RETRY_DELAY_MS)
})

test('honours a longer Retry-After up to four hours, but not a shorter one', () => {
  assert.equal(pauses(middle, 60 * SECOND)[0], 60 * SECOND)
  assert.equal(pauses(middle, 100 * HOUR)[0], 4 * HOUR)
  assert.equal(pauses(middle, 1)[0], 5 * SECOND)
})

test('parses Retry-After as seconds or a date; null otherwise', () => {
  const read = (header: string | null) => readRetryAfterMs(header, BEGIN)
  assert.equal(read('120'), 120 * SECOND)
  assert.equal(read('Sat, 21 Nov 2026 08:01:00 GMT'), 60 * SECOND)
  assert.equal(read('Sat, 21 Nov 2026 07:00:00 GMT'), 0)
  assert.deepEqual([read(null), read('soon'), read('-3'), read('')], [null, null, null, null])
})
