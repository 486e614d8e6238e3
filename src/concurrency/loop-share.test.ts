import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLoopShare } from './loop-share.ts'

const SLICE_MS = 8

/** Works whose steps each take so long by a clock that stands still otherwise; notes whose step is done. */
function createWorks(stepMs: number) {
  let timeMs = 0
  const share = createLoopShare(SLICE_MS, () => timeMs)
  const done: string[] = []
  async function work(name: string, steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      await share()
      timeMs += stepMs
      done.push(name)
    }
  }
  return { work, done }
}

/** Begins works in one turn of the event loop, one behind the other, as what comes from files and sockets does. */
function beginTogether(works: readonly (() => Promise<void>)[]): Promise<unknown> {
  return Promise.all(works.map((work) => new Promise((resolve) => setImmediate(() => resolve(work())))))
}

test('short steps that are ready together are done in one turn of the event loop', async () => {
  const { work, done } = createWorks(2)
  const all = beginTogether(['a', 'b', 'c'].map((name) => () => work(name, 1)))
  await nextTurn()
  assert.deepEqual(done, ['a', 'b', 'c'])
  await all
})

test('of long steps that are ready together, one is done in a turn, the first to ask first', async () => {
  const { work, done } = createWorks(SLICE_MS)
  const all = beginTogether(['a', 'b', 'c'].map((name) => () => work(name, 1)))
  await nextTurn()
  const seen = done.join('')
  await all
  assert.equal(seen, 'a')
  assert.deepEqual(done, ['a', 'b', 'c'])
})

test('a short work waits for one step of a long one', async () => {
  const { work, done } = createWorks(SLICE_MS)
  await beginTogether([() => work('long', 4), () => work('short', 1)])
  assert.deepEqual(done, ['long', 'long', 'short', 'long', 'long'])
})
