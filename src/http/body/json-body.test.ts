import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { parseJsonBody } from './json-body.ts'

const refused = (bytes: Buffer, code: string) =>
  assert.throws(
    () => parseJsonBody(bytes),
    (error) => error instanceof ApiError && error.code === code,
  )

test('an empty or blank body is undefined', () => {
  assert.equal(parseJsonBody(Buffer.alloc(0)), undefined)
  assert.equal(parseJsonBody(Buffer.from(' \r\n\t')), undefined)
})

test('a byte order mark is skipped', () => {
  assert.deepEqual(parseJsonBody(Buffer.from('\ufeff{"a":1}')), { a: 1 })
})

test('a multipart body is distinguished from invalid JSON', () => {
  refused(Buffer.from('--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n--x--'), 'content_type_mismatch')
})

test('invalid, too deep and wrongly encoded bodies are malformed', () => {
  refused(Buffer.from('{"a":'), 'malformed_json')
  refused(Buffer.from('['.repeat(200_000) + ']'.repeat(200_000)), 'malformed_json')
  refused(Buffer.from([0x22, 0xff, 0x22]), 'malformed_json')
})

test('a body with too many values is rejected before parsing', () => {
  refused(Buffer.from(`[${'{},'.repeat(2_500_000)}`), 'body_too_large')
})
