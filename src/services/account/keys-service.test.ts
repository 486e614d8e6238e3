import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKey, isMistypedKey, newKeyText, previewKey } from './keys-service.ts'

test('generates distinct keys of rcl_ and 46 base62 characters', () => {
  const keys = Array.from({ length: 500 }, newKeyText)
  for (const key of keys) assert.match(key, /^rcl_[0-9A-Za-z]{46}$/)
  assert.equal(new Set(keys).size, keys.length)
})

test('detects a wrong character and a swap of neighbours', () => {
  const key = newKeyText()
  assert.equal(isMistypedKey(key), false)
  for (let index = 4; index < key.length; index += 1) {
    const other = key[index] === 'x' ? 'y' : 'x'
    assert.equal(isMistypedKey(key.slice(0, index) + other + key.slice(index + 1)), true)
    const swapped = `${key.slice(0, index)}${key[index + 1] ?? ''}${key[index]}${key.slice(index + 2)}`
    assert.equal(isMistypedKey(swapped), swapped !== key)
  }
})

test('accepts other formats, because a bootstrap key may have any format', () => {
  for (const text of ['', 'rcl_', 'a passphrase of my own', `${newKeyText()}0`, newKeyText().slice(1)]) {
    assert.equal(isMistypedKey(text), false)
  }
})

test('uses the CRC-32 checksum, so that keys stay valid across releases', () => {
  assert.equal(isMistypedKey(`rcl_${'0'.repeat(40)}2kaqcA`), false)
})

test('stores the SHA-256 of a key and shows its first 8 and last 4 characters', () => {
  assert.equal(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(previewKey(`rcl_ab12${'0'.repeat(38)}wxyz`), 'rcl_ab12…wxyz')
})
