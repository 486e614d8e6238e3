import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSideWork } from './side-work.ts'

test('whoever asks for upkeep while some is under way shares it, and work of its own waits for its end', async () => {
  const side = createSideWork()
  const did: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = async () => {
    did.push('begun')
    await promise
    did.push('ended')
  }
  const both = Promise.all([side.share('a', slow), side.share('a', slow)])
  const own = side.do('a', async () => did.push('own'))
  await side.do('b', async () => did.push('other'))
  resolve()
  await Promise.all([both, own])
  assert.deepEqual(did, ['begun', 'other', 'ended', 'own'])
})

test('work that fails tells who began it, and holds nobody up', async () => {
  const side = createSideWork()
  const failed = side.do('a', () => Promise.reject(new Error('torn')))
  const next = side.do('a', async () => 'next')
  await assert.rejects(failed, /torn/)
  assert.equal(await next, 'next')
  await side.idle()
})
