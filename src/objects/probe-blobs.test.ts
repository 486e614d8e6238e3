import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standing } from './probe-blobs.ts'

test('calls at the same time share a check, and its success stands', async () => {
  let checks = 0
  const check = standing(async () => {
    checks += 1
  }, 60_000)
  await Promise.all([check(), check()])
  await check()
  assert.equal(checks, 1)
})

test('a failure does not stand, and neither does a success for ever', async () => {
  let checks = 0
  const failing = standing(async () => {
    checks += 1
    throw new Error('down')
  }, 60_000)
  await assert.rejects(failing(), /down/)
  await assert.rejects(failing(), /down/)
  const passing = standing(async () => {
    checks += 1
  }, 0)
  await passing()
  await passing()
  assert.equal(checks, 4)
})
