import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce, inTurns, type Steps } from './in-turns.ts'

/** A work of so many steps that notes each, and gives how many there were. */
function* work(steps: number, done: number[]): Steps<number> {
  for (let step = 1; step <= steps; step += 1) {
    done.push(step)
    yield
  }
  return steps
}

test('a work in turns asks before each of its steps, and gives what it gives at once', async () => {
  const seen: number[] = []
  const done: number[] = []
  const result = await inTurns(work(3, done), async () => void seen.push(done.length))
  assert.equal(result, atOnce(work(3, [])))
  assert.deepEqual(seen, [0, 1, 2, 3])
})

test('a work whose caller leaves takes no further step', async () => {
  const done: number[] = []
  const caller = new AbortController()
  const share = async () => {
    if (done.length === 2) caller.abort(new Error('left'))
  }
  await assert.rejects(inTurns(work(9, done), share, caller.signal), /left/)
  assert.deepEqual(done, [1, 2])
})
