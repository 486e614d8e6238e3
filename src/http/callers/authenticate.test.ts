import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import type { KeysService } from '../../services/account/keys-service.ts'
import type { Caller } from '../../services/caller.ts'
import { createAuthenticator, WRONG_KEYS_PER_MINUTE } from './authenticate.ts'
import type { CountRequest } from './rate-limiter.ts'
import { createLocalCounter } from './rate-limiter.ts'

const CALLER: Caller = {
  organizationId: 'org',
  keyId: 'k',
  keyName: 'n',
  scope: 'organization',
  memoryIds: null,
  role: 'admin',
  planId: 'free',
}

function authenticator(now = () => new Date(0), count?: CountRequest) {
  const keys = { authenticate: async (key: string) => (key === 'right' ? CALLER : null) } as KeysService
  return createAuthenticator({ keys, now, ...(count === undefined ? {} : { count }) })
}

const refused = (promise: Promise<unknown>, code: string) =>
  assert.rejects(promise, (error) => error instanceof ApiError && error.code === code)

test('a key is accepted in either header, and the scheme is case-insensitive', async () => {
  const check = authenticator()
  assert.equal(await check({ authorization: ['Bearer right'] }, 'a'), CALLER)
  assert.equal(await check({ authorization: ['bEARER  right '] }, 'a'), CALLER)
  assert.equal(await check({ 'x-api-key': ['right'] }, 'a'), CALLER)
  assert.equal(await check({ authorization: ['Bearer right'], 'x-api-key': ['right'] }, 'a'), CALLER)
  assert.equal(await check({ authorization: ['Basic eDp5'], 'x-api-key': ['right'] }, 'a'), CALLER)
})

test('two different keys are rejected even if one is valid', async () => {
  await refused(authenticator()({ authorization: ['Bearer right'], 'x-api-key': ['wrong'] }, 'a'), 'invalid_api_key')
  await refused(authenticator()({ authorization: ['Bearer right', 'Bearer wrong'] }, 'a'), 'invalid_api_key')
  await refused(authenticator()({ 'x-api-key': ['wrong', 'right'] }, 'a'), 'invalid_api_key')
  assert.equal(await authenticator()({ 'x-api-key': ['right', 'right'] }, 'a'), CALLER)
})

test('a missing key and an invalid key have different errors', async () => {
  await refused(authenticator()({}, 'a'), 'missing_api_key')
  await refused(authenticator()({ authorization: ['Bearer '] }, 'a'), 'missing_api_key')
  await refused(authenticator()({ 'x-api-key': ['wrong'] }, 'a'), 'invalid_api_key')
})

test('too many wrong keys block an address, but not its valid key or other addresses', async () => {
  let at = 0
  const check = authenticator(() => new Date(at))
  const guess = (address: string) => check({ 'x-api-key': ['wrong'] }, address)
  for (let tries = 0; tries < WRONG_KEYS_PER_MINUTE; tries += 1) await refused(guess('2001:db8::1'), 'invalid_api_key')
  await refused(guess('2001:db8:0:0:1::2'), 'rate_limited')
  await refused(guess('2001:db8:0:1::2'), 'invalid_api_key')
  assert.equal(await check({ 'x-api-key': ['right'] }, '2001:db8::1'), CALLER)
  at = 60_000
  await refused(guess('2001:db8::1'), 'invalid_api_key')
})

test('wrong keys are counted across processes, and further attempts do not write to the shared count', async () => {
  const now = () => new Date(0)
  const counter = createLocalCounter(now)
  let counted = 0
  const count: CountRequest = (name, windowMs) => {
    counted += 1
    return counter(name, windowMs)
  }
  const [one, two] = [authenticator(now, count), authenticator(now, count)]
  const guess = (check: typeof one) => check({ 'x-api-key': ['wrong'] }, '192.0.2.1')
  for (let tries = 0; tries < WRONG_KEYS_PER_MINUTE / 2; tries += 1) {
    await refused(guess(one), 'invalid_api_key')
    await refused(guess(two), 'invalid_api_key')
  }
  await refused(guess(one), 'rate_limited')
  await refused(guess(two), 'rate_limited')
  for (let tries = 0; tries < 100; tries += 1) await refused(guess(one), 'rate_limited')
  assert.ok(counted <= 2 * WRONG_KEYS_PER_MINUTE, `${counted} counted`)
  await refused(one({ 'x-api-key': ['wrong'] }, '192.0.2.2'), 'invalid_api_key')
  assert.equal(await two({ 'x-api-key': ['right'] }, '192.0.2.1'), CALLER)
})
