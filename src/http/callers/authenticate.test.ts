import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import type { Caller, KeysService } from '../../service/services.ts'
import { createAuthenticator } from './authenticate.ts'

const CALLER: Caller = {
  organizationId: 'org',
  keyId: 'k',
  keyName: 'n',
  scope: 'organization',
  memoryId: null,
  planId: 'free',
}

function authenticator(now = () => new Date(0)) {
  const keys = { authenticate: async (key: string) => (key === 'right' ? CALLER : null) } as KeysService
  return createAuthenticator({ keys, now })
}

const refused = (promise: Promise<unknown>, code: string) =>
  assert.rejects(promise, (error) => error instanceof ApiError && error.code === code)

test('a key is taken from either header, whatever the case of the scheme', async () => {
  const check = authenticator()
  assert.equal(await check({ authorization: 'Bearer right' }, 'a'), CALLER)
  assert.equal(await check({ authorization: 'bEARER  right ' }, 'a'), CALLER)
  assert.equal(await check({ 'x-api-key': 'right' }, 'a'), CALLER)
  assert.equal(await check({ authorization: 'Bearer right', 'x-api-key': 'right' }, 'a'), CALLER)
  assert.equal(await check({ authorization: 'Basic eDp5', 'x-api-key': 'right' }, 'a'), CALLER)
})

test('two different keys are refused even when one is right', async () => {
  await refused(authenticator()({ authorization: 'Bearer right', 'x-api-key': 'wrong' }, 'a'), 'invalid_api_key')
})

test('no key and a wrong key are told apart', async () => {
  await refused(authenticator()({}, 'a'), 'missing_api_key')
  await refused(authenticator()({ authorization: 'Bearer ' }, 'a'), 'missing_api_key')
  await refused(authenticator()({ 'x-api-key': 'wrong' }, 'a'), 'invalid_api_key')
})

test('an address with too many wrong keys waits, its right key passes, other addresses are free', async () => {
  let at = 0
  const check = authenticator(() => new Date(at))
  const guess = (address: string) => check({ 'x-api-key': 'wrong' }, address)
  for (let tries = 0; tries < 20; tries += 1) await refused(guess('2001:db8::1'), 'invalid_api_key')
  await refused(guess('2001:db8:0:0:1::2'), 'rate_limited')
  await refused(guess('2001:db8:0:1::2'), 'invalid_api_key')
  assert.equal(await check({ 'x-api-key': 'right' }, '2001:db8::1'), CALLER)
  at = 60_000
  await refused(guess('2001:db8::1'), 'invalid_api_key')
})
