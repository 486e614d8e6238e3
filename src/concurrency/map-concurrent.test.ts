import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapConcurrent } from './map-concurrent.ts'

test('no more calls are under way than may be, and the results keep the order of the items', async () => {
  let running = 0
  let most = 0
  const results = await mapConcurrent([3, 1, 2, 0], 2, async (turns) => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    running -= 1
    return turns * 10
  })
  assert.deepEqual(results, [30, 10, 20, 0])
  assert.equal(most, 2)
})

test('the first failure is told once what was under way has ended, and nothing more is begun', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = mapConcurrent([0, 1, 2, 3], 2, async (item) => {
    begun.push(item)
    if (item === 0) throw new Error('no')
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    ended.push(item)
  })
  await assert.rejects(work, { message: 'no' })
  assert.deepEqual(begun, [0, 1])
  assert.deepEqual(ended, [1])
})
