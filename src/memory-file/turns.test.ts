import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLane } from './lane.ts'
import { createTurns } from './turns.ts'

test('work that waits for its turn behind the removal of its file is given up, and so is what asks meanwhile', async () => {
  const lane = createLane(async () => {})
  const turns = createTurns((_name, work) => lane.run(work))
  const did: string[] = []
  let waits: Promise<void> = Promise.resolve()
  await lane.run(() =>
    turns.remove('a', async () => {
      waits = turns.take('a', async () => void did.push('late'))
      await assert.rejects(waits, { code: 'memory_not_found' })
    }),
  )
  await lane.run(async () => {
    waits = turns.take('a', async () => void did.push('waited'))
    await turns.remove('a', () => assert.rejects(waits, { code: 'memory_not_found' }))
  })
  await turns.take('a', async () => void did.push('after'))
  assert.deepEqual(did, ['after'])
})
