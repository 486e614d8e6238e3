import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurns } from './turns.ts'

test('works that have joined go on in turns, one step at a time', async () => {
  const turns = createTurns(3)
  const order: string[] = []
  let atOnce = 0
  const work = (name: string) =>
    turns.join(async (takeTurn) => {
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
  const turns = createTurns(2)
  const failing = turns.join((takeTurn) => takeTurn(() => Promise.reject(new Error('no'))))
  const other = turns.join((takeTurn) => takeTurn(async () => 'done'))
  await assert.rejects(failing, /no/)
  assert.equal(await other, 'done')
})

test('one work too many is refused, and let in when another has ended', async () => {
  const turns = createTurns(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.join(() => promise)
  await assert.rejects(
    turns.join(async () => 'second'),
    { code: 'rate_limited' },
  )
  resolve()
  await first
  assert.equal(await turns.join(async () => 'third'), 'third')
})
