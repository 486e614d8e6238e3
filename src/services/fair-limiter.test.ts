import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { createFairLimiter } from './fair-limiter.ts'

const STAYS = new AbortController().signal
const BOUNDS = { max: 8, maxPerOrganization: 8, works: 'measurements' }

test('operations take turns, one step at a time', async () => {
  const turns = createFairLimiter({ ...BOUNDS, max: 3 })
  const order: string[] = []
  let atOnce = 0
  const work = (name: string) =>
    turns.run('org_a', STAYS, async (takeTurn) => {
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

test('a failed step ends only its own operation', async () => {
  const turns = createFairLimiter({ ...BOUNDS, max: 2 })
  const failing = turns.run('org_a', STAYS, (takeTurn) => takeTurn(() => Promise.reject(new Error('no'))))
  const other = turns.run('org_b', STAYS, (takeTurn) => takeTurn(async () => 'done'))
  await assert.rejects(failing, /no/)
  assert.equal(await other, 'done')
})

test('an operation above the limit is rejected, and accepted after another has ended', async () => {
  const turns = createFairLimiter({ ...BOUNDS, max: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.run('org_a', STAYS, () => promise)
  await assert.rejects(
    turns.run('org_b', STAYS, async () => 'second'),
    { code: 'rate_limited' },
  )
  resolve()
  await first
  assert.equal(await turns.run('org_b', STAYS, async () => 'third'), 'third')
})

test('an organization is limited to its share and does not block others', async () => {
  const turns = createFairLimiter({ ...BOUNDS, maxPerOrganization: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.run('org_a', STAYS, () => promise)
  await assert.rejects(
    turns.run('org_a', STAYS, async () => 'second'),
    (err) => {
      assert.ok(err instanceof ApiError)
      assert.deepEqual([err.code, err.facts.retryAfterSeconds], ['rate_limited', 10])
      return err.message === 'At most 1 measurements per organization can run or wait at a time.'
    },
  )
  assert.equal(await turns.run('org_b', STAYS, async () => 'of another'), 'of another')
  resolve()
  await first
  assert.equal(await turns.run('org_a', STAYS, async () => 'third'), 'third')
})

test('a caller who leaves while waiting frees the place immediately, and the step never runs', async () => {
  const turns = createFairLimiter({ ...BOUNDS, max: 2 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.run('org_a', STAYS, (takeTurn) => takeTurn(() => promise))
  const leaving = new AbortController()
  let isDone = false
  const second = turns.run('org_a', leaving.signal, (takeTurn) =>
    takeTurn(async () => {
      isDone = true
    }),
  )
  leaving.abort(new Error('left'))
  await assert.rejects(second, /left/)
  const third = turns.run('org_a', STAYS, (takeTurn) => takeTurn(async () => 'third'))
  resolve()
  await first
  assert.equal(await third, 'third')
  assert.equal(isDone, false)
})

test('a caller who leaves during a step keeps the turn until the step has ended', async () => {
  const turns = createFairLimiter(BOUNDS)
  const { promise, resolve } = Promise.withResolvers<string>()
  const leaving = new AbortController()
  const first = turns.run('org_a', leaving.signal, (takeTurn) => takeTurn(() => promise))
  let hasBegun = false
  const second = turns.run('org_a', STAYS, (takeTurn) =>
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
