import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffMs, interruptedPauseMs } from './back-off.ts'

const middle = () => 0.5

test('pauses grow fivefold from one second and stay bounded', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 30].map((attempts) => backOffMs(attempts, middle)),
    [1000, 5000, 25_000, 125_000, 125_000, 125_000],
  )
})

test('pauses vary by at most a fifth', () => {
  assert.equal(
    backOffMs(2, () => 0),
    4000,
  )
  assert.ok(backOffMs(2, () => 0.999999) <= 6000)
})

test('an interrupted job waits at most five seconds', () => {
  assert.deepEqual(
    [1, 2, 9].map((attempts) => interruptedPauseMs(attempts, middle)),
    [1000, 5000, 5000],
  )
})
