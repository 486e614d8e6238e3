import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createSignal } from './signal.ts'

test('a ring before the wait is kept, and used up by it', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const signal = createSignal()
  signal.notify()
  await signal.wait(1000)
  let over = false
  const second = signal.wait(1000).then(() => {
    over = true
  })
  await Promise.resolve()
  assert.equal(over, false)
  signal.notify()
  await second
})

test('a wait ends when its time is up', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const wait = createSignal().wait(1000)
  mock.timers.tick(1000)
  await wait
})
