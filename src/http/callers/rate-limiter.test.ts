import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from './rate-limiter.ts'

test('a name has its limit in every window, whatever others do', async () => {
  let at = 0
  const limiter = createRateLimiter({ limit: 2, windowMs: 60_000, now: () => new Date(at) })
  assert.deepEqual(await limiter.take('a'), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  assert.equal((await limiter.take('a')).allowed, true)
  at = 30_500
  assert.deepEqual(await limiter.take('a'), { allowed: false, limit: 2, remaining: 0, resetSeconds: 30 })
  assert.equal((await limiter.take('b')).allowed, true)
  at = 60_000
  assert.equal((await limiter.take('a')).allowed, true)
})

test('a flood of names is forgotten oldest first', async () => {
  const limiter = createRateLimiter({ limit: 1, windowMs: 60_000, now: () => new Date(0) })
  await limiter.take('first')
  for (let name = 0; name < 25_000; name += 1) await limiter.take(String(name))
  assert.equal((await limiter.take('24999')).allowed, false)
  assert.equal((await limiter.take('first')).allowed, true)
})

test('a limit that was reached is over within its window, even where the clock was set back', async () => {
  let at = 86_400_000
  const limiter = createRateLimiter({ limit: 1, windowMs: 60_000, now: () => new Date(at) })
  assert.equal((await limiter.take('a')).allowed, true)
  assert.equal((await limiter.take('a')).allowed, false)
  at = 0
  assert.deepEqual(await limiter.take('a'), { allowed: true, limit: 1, remaining: 0, resetSeconds: 60 })
})
