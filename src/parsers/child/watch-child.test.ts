import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWorkMs, getResidentBytes, watchChild } from './watch-child.ts'

test('counts processor time on a loaded machine', () => {
  assert.equal(countWorkMs(100, 20), 20)
})

test('counts parallel threads as elapsed time', () => {
  assert.equal(countWorkMs(100, 190), 100)
})

test('counts elapsed time for a hanging child', () => {
  assert.equal(countWorkMs(100, 0), 100)
})

test('counts elapsed time if the system reports no processor time', () => {
  assert.equal(countWorkMs(100, null), 100)
})

test('does not kill a child for memory after its task has ended', async () => {
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
  // A poll reads process data twice; the test reads more often, in sequence.
  for (let reads = 0; reads < 20; reads++) await getResidentBytes(process.pid)
  assert.equal(killed, 0)
})
