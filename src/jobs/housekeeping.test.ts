import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createHousekeeping } from './housekeeping.ts'

function createRounds(tasks: Record<string, () => Promise<unknown>>) {
  const warnings: unknown[] = []
  const log = { debug() {}, info() {}, error() {}, warn: (facts: object) => void warnings.push(facts) }
  return { warnings, rounds: createHousekeeping({ tasks, pauseMs: 1000, log }) }
}

test('tasks run sequentially, and a failed task is retried in the next round', async () => {
  const done: string[] = []
  const failure = new Error('no')
  const { rounds, warnings } = createRounds({
    first: async () => {
      await nextTurn()
      done.push('first')
      throw failure
    },
    second: async () => void done.push('second'),
  })
  await rounds.run()
  await rounds.run()
  assert.deepEqual(done, ['first', 'second', 'first', 'second'])
  assert.deepEqual(warnings[0], { err: failure, task: 'first' })
})

test('a hanging task blocks neither later tasks nor the next round, and is not started again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun: string[] = []
  const { rounds, warnings } = createRounds({
    hanging: () => {
      begun.push('hanging')
      return promise
    },
    next: async () => void begun.push('next'),
  })
  const round = rounds.run()
  await nextTurn()
  assert.deepEqual(begun, ['hanging'])
  t.mock.timers.tick(60_000)
  await round
  await rounds.run()
  assert.deepEqual(begun, ['hanging', 'next', 'next'])
  assert.deepEqual(warnings, [{ task: 'hanging' }])
  let isOver = false
  const stopped = rounds.stop().then(() => {
    isOver = true
  })
  await nextTurn()
  assert.equal(isOver, false)
  resolve()
  await stopped
})
