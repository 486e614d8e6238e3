import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { requireOwnOrigin } from './require-own-origin.ts'

function isLetIn(headers: { origin?: string; host?: string }, hasKey = true): boolean {
  try {
    requireOwnOrigin(headers, { hasKey })
    return true
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'origin_forbidden')
    return false
  }
}

test('programs send no Origin, and pages of the service its own', () => {
  assert.ok(isLetIn({ host: 'memory.example.com' }))
  assert.ok(isLetIn({ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }))
  assert.ok(isLetIn({ host: 'memory.example.com', origin: 'https://memory.example.com' }))
  assert.ok(isLetIn({ host: 'memory.example.com:443', origin: 'https://memory.example.com' }))
})

test('a page of another origin is refused', () => {
  for (const origin of ['https://evil.example', 'http://127.0.0.1:9090', 'null', '', 'file://', 'http://127.0.0.1']) {
    assert.equal(isLetIn({ host: '127.0.0.1:8080', origin }), false, origin)
  }
})

test('without keys only a name of this machine is let in, whatever Origin says', () => {
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) assert.ok(isLetIn({ host }, false), host)
  for (const host of ['evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example', '']) {
    assert.equal(isLetIn({ host, origin: `http://${host}` }, false), false, host)
  }
})
