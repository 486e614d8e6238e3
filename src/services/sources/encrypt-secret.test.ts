import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretBox } from './encrypt-secret.ts'

test('a sealed secret is opened with the same key and id only, and each seal differs', () => {
  const box = createSecretBox('a key of the installation')
  const sealed = box.seal('src_1', 'Wäschekorb')
  assert.ok(!sealed.includes('Wäschekorb') && sealed !== box.seal('src_1', 'Wäschekorb'))
  assert.equal(box.open('src_1', sealed), 'Wäschekorb')
  assert.equal(box.open('src_2', sealed), null)
  assert.equal(createSecretBox('another key').open('src_1', sealed), null)
  assert.equal(box.open('src_1', `${sealed.slice(0, -6)}AAAAAA`), null)
  for (const damaged of ['', 'v1:', 'v2:AAAA', 'text']) assert.equal(box.open('src_1', damaged), null)
})
