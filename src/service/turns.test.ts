import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { createTurns } from './turns.ts'

const BOUNDS = { most: 8, mostOfOrganization: 8, works: 'measurements' }

test('works that have joined go on in turns, one step at a time', async () => {
  const turns = createTurns({ ...BOUNDS, most: 3 })
  const order: string[] = []
  let atOnce = 0
  const work = (name: string) =>
    turns.join('org_a', async (takeTurn) => {
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
  const turns = createTurns({ ...BOUNDS, most: 2 })
  const failing = turns.join('org_a', (takeTurn) => takeTurn(() => Promise.reject(new Error('no'))))
  const other = turns.join('org_b', (takeTurn) => takeTurn(async () => 'done'))
  await assert.rejects(failing, /no/)
  assert.equal(await other, 'done')
})

test('one work too many is refused, and let in when another has ended', async () => {
  const turns = createTurns({ ...BOUNDS, most: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.join('org_a', () => promise)
  await assert.rejects(
    turns.join('org_b', async () => 'second'),
    { code: 'rate_limited' },
  )
  resolve()
  await first
  assert.equal(await turns.join('org_b', async () => 'third'), 'third')
})

test('an organization takes no more than its places, and leaves those of others free', async () => {
  const turns = createTurns({ ...BOUNDS, mostOfOrganization: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.join('org_a', () => promise)
  await assert.rejects(
    turns.join('org_a', async () => 'second'),
    (err) => {
      assert.ok(err instanceof ApiError)
      assert.deepEqual([err.code, err.facts.retryAfterSeconds], ['rate_limited', 10])
      return err.message === 'No more than 1 of the measurements of an organization may run or wait at a time.'
    },
  )
  assert.equal(await turns.join('org_b', async () => 'of another'), 'of another')
  resolve()
  await first
  assert.equal(await turns.join('org_a', async () => 'third'), 'third')
})
