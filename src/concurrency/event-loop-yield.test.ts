import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CooperativeTask, createEventLoopYielder, runCooperatively, runSync } from './event-loop-yield.ts'

const SLICE_MS = 8

/** Works whose steps take `stepMs` by a manual clock, and the order of finished steps. */
function createWorks(stepMs: number) {
  let timeMs = 0
  const share = createEventLoopYielder(SLICE_MS, () => timeMs)
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

/** Starts works in one turn of the event loop, in order, as events of files and sockets do. */
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

/** A task of `steps` steps that records each step, and returns their number. */
function* work(steps: number, done: number[]): CooperativeTask<number> {
  for (let step = 1; step <= steps; step += 1) {
    done.push(step)
    yield
  }
  return steps
}

test('a work in turns asks before each of its steps, and gives what it gives at once', async () => {
  const seen: number[] = []
  const done: number[] = []
  const result = await runCooperatively(work(3, done), async () => void seen.push(done.length))
  assert.equal(result, runSync(work(3, [])))
  assert.deepEqual(seen, [0, 1, 2, 3])
})

test('a work whose caller leaves takes no further step', async () => {
  const done: number[] = []
  const caller = new AbortController()
  const share = async () => {
    if (done.length === 2) caller.abort(new Error('left'))
  }
  await assert.rejects(runCooperatively(work(9, done), share, caller.signal), /left/)
  assert.deepEqual(done, [1, 2])
})
