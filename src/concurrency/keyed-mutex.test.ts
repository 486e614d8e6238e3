import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyedMutex } from './keyed-mutex.ts'

test('whoever asks for upkeep while some is under way shares it, and work of its own waits for its end', async () => {
  const mutex = createKeyedMutex()
  const did: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = async () => {
    did.push('begun')
    await promise
    did.push('ended')
  }
  const both = Promise.all([mutex.share('a', slow), mutex.share('a', slow)])
  const own = mutex.run('a', async () => did.push('own'))
  await mutex.run('b', async () => did.push('other'))
  resolve()
  await Promise.all([both, own])
  assert.deepEqual(did, ['begun', 'other', 'ended', 'own'])
})

test('work that fails tells who began it, and holds nobody up', async () => {
  const mutex = createKeyedMutex()
  const failed = mutex.run('a', () => Promise.reject(new Error('torn')))
  const next = mutex.run('a', async () => 'next')
  await assert.rejects(failed, /torn/)
  assert.equal(await next, 'next')
  await mutex.idle()
})
