import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGroupCommitQueue } from '../concurrency/group-commit.ts'
import { createCancellableQueue } from './chunk-writer.ts'

test('work queued behind the removal of its file is cancelled, as is work requested meanwhile', async () => {
  const queue = createGroupCommitQueue({ commit: async () => {}, bytesOf: () => 1, limit: { items: 1, bytes: 1 } })
  const turns = createCancellableQueue((_name, work) => queue.run(work))
  const did: string[] = []
  let waits: Promise<void> = Promise.resolve()
  await queue.run(() =>
    turns.drop('a', async () => {
      waits = turns.run('a', async () => void did.push('late'))
      await assert.rejects(waits, { code: 'memory_not_found' })
    }),
  )
  await queue.run(async () => {
    waits = turns.run('a', async () => void did.push('waited'))
    await turns.drop('a', () => assert.rejects(waits, { code: 'memory_not_found' }))
  })
  await turns.run('a', async () => void did.push('after'))
  assert.deepEqual(did, ['after'])
})
