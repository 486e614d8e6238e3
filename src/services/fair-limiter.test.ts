import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { createFairLimiter } from './fair-limiter.ts'

const STAYS = new AbortController().signal
const BOUNDS = { most: 8, mostOfOrganization: 8, works: 'measurements' }

test('works that have joined go on in turns, one step at a time', async () => {
  const turns = createFairLimiter({ ...BOUNDS, most: 3 })
  const order: string[] = []
  let atOnce = 0
  const work = (name: string) =>
    turns.join('org_a', STAYS, async (takeTurn) => {
      for (const step of [1, 2, 3]) {
        await takeTurn(async () => {
          atOnce += 1
          assert.equal(atOnce, 1)
          await nextTurn()
          order.push(`${name}${step}`)
          atOnce -= 1
        })
      }
    })
  await Promise.all([work('a'), work('b')])
  assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
})

test('a step that fails ends its own work and no other', async () => {
  const turns = createFairLimiter({ ...BOUNDS, most: 2 })
  const failing = turns.join('org_a', STAYS, (takeTurn) => takeTurn(() => Promise.reject(new Error('no'))))
  const other = turns.join('org_b', STAYS, (takeTurn) => takeTurn(async () => 'done'))
  await assert.rejects(failing, /no/)
  assert.equal(await other, 'done')
})

test('one work too many is refused, and let in when another has ended', async () => {
  const turns = createFairLimiter({ ...BOUNDS, most: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.join('org_a', STAYS, () => promise)
  await assert.rejects(
    turns.join('org_b', STAYS, async () => 'second'),
    { code: 'rate_limited' },
  )
  resolve()
  await first
  assert.equal(await turns.join('org_b', STAYS, async () => 'third'), 'third')
})

test('an organization takes no more than its places, and leaves those of others free', async () => {
  const turns = createFairLimiter({ ...BOUNDS, mostOfOrganization: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.join('org_a', STAYS, () => promise)
  await assert.rejects(
    turns.join('org_a', STAYS, async () => 'second'),
    (err) => {
      assert.ok(err instanceof ApiError)
      assert.deepEqual([err.code, err.facts.retryAfterSeconds], ['rate_limited', 10])
      return err.message === 'No more than 1 of the measurements of an organization may run or wait at a time.'
    },
  )
  assert.equal(await turns.join('org_b', STAYS, async () => 'of another'), 'of another')
  resolve()
  await first
  assert.equal(await turns.join('org_a', STAYS, async () => 'third'), 'third')
})

test('one whose caller leaves while it waits gives its place back at once, and its step is never done', async () => {
  const turns = createFairLimiter({ ...BOUNDS, most: 2 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.join('org_a', STAYS, (takeTurn) => takeTurn(() => promise))
  const leaving = new AbortController()
  let isDone = false
  const second = turns.join('org_a', leaving.signal, (takeTurn) =>
    takeTurn(async () => {
      isDone = true
    }),
  )
  leaving.abort(new Error('left'))
  await assert.rejects(second, /left/)
  const third = turns.join('org_a', STAYS, (takeTurn) => takeTurn(async () => 'third'))
  resolve()
  await first
  assert.equal(await third, 'third')
  assert.equal(isDone, false)
})

test('one whose caller leaves in the middle of its step keeps the turn until the step has ended', async () => {
  const turns = createFairLimiter(BOUNDS)
  const { promise, resolve } = Promise.withResolvers<string>()
  const leaving = new AbortController()
  const first = turns.join('org_a', leaving.signal, (takeTurn) => takeTurn(() => promise))
  let hasBegun = false
  const second = turns.join('org_a', STAYS, (takeTurn) =>
    takeTurn(async () => {
      hasBegun = true
    }),
  )
  await nextTurn()
  leaving.abort(new Error('left'))
  await nextTurn()
  assert.equal(hasBegun, false)
  resolve('ended')
  assert.equal(await first, 'ended')
  await second
})
