import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { readBodyKind } from './receive-body.ts'

const kind = (type: string) => readBodyKind({ 'content-type': type, 'content-length': '2' })
const unsupported = (act: () => unknown) =>
  assert.throws(act, (error) => error instanceof ApiError && error.code === 'unsupported_media_type')

test('JSON is accepted with the usual parameters', () => {
  assert.equal(kind('application/json'), 'json')
  assert.equal(kind('Application/JSON; Charset=UTF-8'), 'json')
  assert.equal(kind('application/ld+json;charset="utf8"'), 'json')
})

test('a request without a body has none, regardless of its type', () => {
  assert.equal(readBodyKind({ 'content-type': 'application/json' }), 'none')
  assert.equal(readBodyKind({ 'content-type': 'text/plain', 'content-length': '0' }), 'none')
})

test('compressed bodies, other charsets and other types are rejected', () => {
  unsupported(() =>
    readBodyKind({ 'content-length': '9', 'content-encoding': 'gzip', 'content-type': 'application/json' }),
  )
  unsupported(() => kind('application/json; charset=utf-16'))
  unsupported(() => kind('text/plain'))
  unsupported(() => readBodyKind({ 'transfer-encoding': 'chunked' }))
})
