import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from './rate-limiter.ts'

test('each name has its own limit per window', async () => {
  let at = 0
  const limiter = createRateLimiter({ limit: 2, windowMs: 60_000, now: () => new Date(at) })
  assert.deepEqual(await limiter.count('a'), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  assert.equal((await limiter.count('a')).allowed, true)
  at = 30_500
  assert.deepEqual(await limiter.count('a'), { allowed: false, limit: 2, remaining: 0, resetSeconds: 30 })
  assert.equal((await limiter.count('b')).allowed, true)
  at = 60_000
  assert.equal((await limiter.count('a')).allowed, true)
})

test('a flood of names evicts the oldest', async () => {
  const limiter = createRateLimiter({ limit: 1, windowMs: 60_000, now: () => new Date(0) })
  await limiter.count('first')
  for (let name = 0; name < 25_000; name += 1) await limiter.count(String(name))
  assert.equal((await limiter.count('24999')).allowed, false)
  assert.equal((await limiter.count('first')).allowed, true)
})

test('a limit ends with its window, even if the clock was set back', async () => {
  let at = 86_400_000
  const limiter = createRateLimiter({ limit: 1, windowMs: 60_000, now: () => new Date(at) })
  assert.equal((await limiter.count('a')).allowed, true)
  assert.equal((await limiter.count('a')).allowed, false)
  at = 0
  assert.deepEqual(await limiter.count('a'), { allowed: true, limit: 1, remaining: 0, resetSeconds: 60 })
})
