import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWorkMs, getResidentBytes, watchChild } from './watch-child.ts'

test('a child on a loaded machine has worked as long as it had a processor', () => {
  assert.equal(countWorkMs(100, 20), 20)
})

test('several threads work no longer than time goes by', () => {
  assert.equal(countWorkMs(100, 190), 100)
})

test('a child that does nothing is not waited for without end', () => {
  assert.equal(countWorkMs(100, 0), 100)
})

test('time counts where the system does not say what was worked', () => {
  assert.equal(countWorkMs(100, null), 100)
})

test('a child is not killed for the memory of a task that has ended meanwhile', async () => {
  let killed = 0
  const stopped = Promise.withResolvers<void>()
  const child = {
    pid: process.pid,
    served: () => 1,
    // Asked when a look at time and memory has begun.
    isWorking: () => {
      stop()
      stopped.resolve()
      return true
    },
    kill: () => void killed++,
  }
  const stop = watchChild(child, { timeoutMs: 60_000, maxBytes: 0, pollMs: 1, signal: undefined })
  await stopped.promise
  // The look reads twice what the system says of the process; here that is read more often, one after the other.
  for (let reads = 0; reads < 20; reads++) await getResidentBytes(process.pid)
  assert.equal(killed, 0)
})
