import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createVectorCache } from './endpoint-embedder.ts'

describe('createVectorCache', () => {
  const vector = (first: number) => Float32Array.of(first, 0)

  it('gives what was put in, and null for the rest', () => {
    const cache = createVectorCache({ maxBytes: 10_000 })
    cache.set('a', vector(1))
    assert.deepEqual(cache.get('a'), vector(1))
    assert.equal(cache.get('b'), null)
  })

  it('lets go of what was not asked for the longest', () => {
    const cache = createVectorCache({ maxBytes: 2 * 208 })
    cache.set('a', vector(1))
    cache.set('b', vector(2))
    cache.get('a')
    cache.set('c', vector(3))
    assert.deepEqual([cache.get('a')?.[0], cache.get('b'), cache.get('c')?.[0]], [1, null, 3])
  })

  it('knows nothing once it was cleared, and has all of its room again', () => {
    const cache = createVectorCache({ maxBytes: 2 * 208 })
    for (const text of ['a', 'b']) cache.set(text, vector(1))
    cache.clear()
    assert.equal(cache.get('a'), null)
    for (const text of ['c', 'd']) cache.set(text, vector(2))
    assert.deepEqual([cache.get('c')?.[0], cache.get('d')?.[0]], [2, 2])
  })

  it('counts a text that is put in again once', () => {
    const cache = createVectorCache({ maxBytes: 2 * 208 })
    for (let time = 0; time < 9; time += 1) cache.set('a', vector(time))
    cache.set('b', vector(2))
    assert.deepEqual([cache.get('a')?.[0], cache.get('b')?.[0]], [8, 2])
  })
})
