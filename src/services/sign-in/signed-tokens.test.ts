import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenSigner } from './signed-tokens.ts'

const START = new Date('2026-11-28T00:00:00Z')
const inMinutes = (minutes: number) => new Date(START.getTime() + 60_000 * minutes)

function createSigner({ secret = 'a secret of the installation', context = ['one'], minutes = 0 } = {}) {
  return createTokenSigner({ secret, context, now: () => inMinutes(minutes) })
}

test('a token is valid until its end, for every process with the same secret', async () => {
  const token = await createSigner().sign('session', { role: 'reader' }, inMinutes(10))
  const verified = await createSigner({ minutes: 9 }).verify('session', token)
  assert.deepEqual([verified?.claims['role'], verified?.endsAt], ['reader', inMinutes(10)])
  assert.equal(await createSigner({ minutes: 10 }).verify('session', token), null)
})

test('a token of another secret, context or kind, and a changed one, are refused', async () => {
  const token = await createSigner().sign('session', { role: 'reader' }, inMinutes(10))
  assert.equal(await createSigner({ secret: 'another secret' }).verify('session', token), null)
  assert.equal(await createSigner({ context: ['two'] }).verify('session', token), null)
  assert.equal(await createSigner().verify('transaction', token), null)
  const [header, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify({ role: 'admin', exp: inMinutes(10).getTime() / 1000 })).toString(
    'base64url',
  )
  for (const changed of [`${header}.${payload}.${signature}`, `${header}.${payload}.`, '', '..', 'x'])
    assert.equal(await createSigner().verify('session', changed), null)
})
