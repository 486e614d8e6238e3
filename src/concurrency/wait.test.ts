import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoizeSuccess, withLivenessProbe } from './wait.ts'

test('calls at the same time share a check, and its success stands', async () => {
  let checks = 0
  const check = memoizeSuccess(async () => {
    checks += 1
  }, 60_000)
  await Promise.all([check(), check()])
  await check()
  assert.equal(checks, 1)
})

test('a failure does not stand, and neither does a success for ever', async () => {
  let checks = 0
  const failing = memoizeSuccess(async () => {
    checks += 1
    throw new Error('down')
  }, 60_000)
  await assert.rejects(failing(), /down/)
  await assert.rejects(failing(), /down/)
  const passing = memoizeSuccess(async () => {
    checks += 1
  }, 0)
  await passing()
  await passing()
  assert.equal(checks, 4)
})

const never = new Promise<never>(() => undefined)

test('what the work gives is given on, without a question where it is quick', async () => {
  const ping = () => assert.fail('asked')
  assert.equal(await withLivenessProbe(Promise.resolve('done'), ping, 60_000), 'done')
  await assert.rejects(withLivenessProbe(Promise.reject(new Error('failed')), ping, 60_000), /failed/)
})

test('slow work is waited for as long as the store answers', async () => {
  const work = Promise.withResolvers<string>()
  let pings = 0
  const ping = async () => {
    pings += 1
    if (pings === 3) work.resolve('done')
  }
  assert.equal(await withLivenessProbe(work.promise, ping, 1), 'done')
})

test('work on a store that does not answer any more is given up, and what becomes of it disturbs nobody', async () => {
  const work = Promise.withResolvers<never>()
  await assert.rejects(
    withLivenessProbe(work.promise, async () => Promise.reject(new Error('gone')), 1),
    /gone/,
  )
  work.reject(new Error('much later'))
  await assert.rejects(
    withLivenessProbe(never, () => Promise.reject(new Error('gone')), 1),
    /gone/,
  )
})
