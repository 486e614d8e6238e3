import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret, signMessage } from './sign-message.ts'

test('a secret is whsec_ and the base64 of 32 bytes, another each time', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  for (const secret of secrets) {
    assert.match(secret, /^whsec_/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
  }
  assert.notEqual(secrets[0], secrets[1])
})

test("the specification's own library takes the signature, and refuses it over anything else", () => {
  const secret = newWebhookSecret()
  const body = '{"type":"job.completed","data":{"message":"„ß“ 漢"}}'
  const headers = signMessage(secret, { id: 'msg_1', at: new Date(), body })
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
  assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' }))
  assert.throws(() => new Webhook(newWebhookSecret()).verify(body, headers))
})
