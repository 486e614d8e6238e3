import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createBell } from './bell.ts'

test('a ring before the wait is kept, and used up by it', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const bell = createBell()
  bell.ring()
  await bell.wait(1000)
  let over = false
  const second = bell.wait(1000).then(() => {
    over = true
  })
  await Promise.resolve()
  assert.equal(over, false)
  bell.ring()
  await second
})

test('a wait ends when its time is up', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const wait = createBell().wait(1000)
  mock.timers.tick(1000)
  await wait
})
