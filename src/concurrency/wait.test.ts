import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awaitStopStep, memoizeSuccess, withLivenessProbe, withTimeout } from './wait.ts'

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

test('a wait with a time limit gives the value in time, the fallback when late, and ignores a late failure', async () => {
  assert.equal(await withTimeout(Promise.resolve('done'), 60_000, 'late'), 'done')
  await assert.rejects(withTimeout(Promise.reject(new Error('failed')), 60_000, 'late'), /failed/)
  const work = Promise.withResolvers<string>()
  assert.equal(await withTimeout(work.promise, 1, 'late'), 'late')
  work.reject(new Error('much later'))
})

test('a step of a stop that lasts is named, one that ends in time is not, and its failure is passed on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const warnings: unknown[] = []
  const warn = (...[, message]: unknown[]) => void warnings.push(message)
  const log = { warn }
  const { promise, resolve } = Promise.withResolvers<void>()
  const lasting = awaitStopStep(log, 'the upkeep of memory files', promise)
  t.mock.timers.tick(5000)
  resolve()
  await lasting
  await awaitStopStep(log, 'jobs', Promise.resolve())
  await assert.rejects(awaitStopStep(log, 'requests', Promise.reject(new Error('broken'))), /broken/)
  t.mock.timers.tick(5000)
  assert.deepEqual(warnings, ['the stop waits for the upkeep of memory files'])
})
