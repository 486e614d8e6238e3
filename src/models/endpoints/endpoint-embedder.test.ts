import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { createTextQueue, createVectorCache, splitIntoBatches } from './endpoint-embedder.ts'

describe('createVectorCache', () => {
  const vector = (first: number) => Float32Array.of(first, 0)

  it('returns cached vectors, and null for the rest', () => {
    const cache = createVectorCache({ maxBytes: 10_000 })
    cache.set('a', vector(1))
    assert.deepEqual(cache.get('a'), vector(1))
    assert.equal(cache.get('b'), null)
  })

  it('evicts the least recently used vector', () => {
    const cache = createVectorCache({ maxBytes: 2 * 208 })
    cache.set('a', vector(1))
    cache.set('b', vector(2))
    cache.get('a')
    cache.set('c', vector(3))
    assert.deepEqual([cache.get('a')?.[0], cache.get('b'), cache.get('c')?.[0]], [1, null, 3])
  })

  it('is empty after clearing, with its full size', () => {
    const cache = createVectorCache({ maxBytes: 2 * 208 })
    for (const text of ['a', 'b']) cache.set(text, vector(1))
    cache.clear()
    assert.equal(cache.get('a'), null)
    for (const text of ['c', 'd']) cache.set(text, vector(2))
    assert.deepEqual([cache.get('c')?.[0], cache.get('d')?.[0]], [2, 2])
  })

  it('counts a text that is added again once', () => {
    const cache = createVectorCache({ maxBytes: 2 * 208 })
    for (let time = 0; time < 9; time += 1) cache.set('a', vector(time))
    cache.set('b', vector(2))
    assert.deepEqual([cache.get('a')?.[0], cache.get('b')?.[0]], [8, 2])
  })
})

/** A queue of manually completed batches: at most three texts each, two at a time. */
function openQueue() {
  const batches: { texts: readonly string[]; end: (failure?: Error) => void }[] = []
  const embed = createTextQueue({
    limits: { texts: 3, tokens: 1000 },
    atOnce: () => 2,
    embedBatch: (texts) =>
      new Promise((resolve, reject) => {
        const vectors = texts.map((text) => Float32Array.of(Number(text)))
        batches.push({ texts, end: (failure) => (failure ? reject(failure) : resolve(vectors)) })
      }),
  })
  const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  return { embed, batches, settled, sent: () => batches.map(({ texts }) => texts.join(' ')) }
}

test('texts of several callers share batches, in order, with limited concurrency', async () => {
  const { embed, batches, settled, sent } = openQueue()
  const vectors = Promise.all(['1', '2', '3', '4', '5', '6', '7', '8'].map((text) => embed(text)))
  await settled()
  assert.deepEqual(sent(), ['1 2 3', '4 5 6'])
  batches[1]?.end()
  await settled()
  assert.deepEqual(sent(), ['1 2 3', '4 5 6', '7 8'])
  batches[0]?.end()
  batches[2]?.end()
  assert.deepEqual(
    (await vectors).map(([value]) => value),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

test('a text requested twice concurrently is sent once', async () => {
  const { embed, batches, settled, sent } = openQueue()
  const vectors = Promise.all([embed('1'), embed('2'), embed('1')])
  await settled()
  assert.deepEqual(sent(), ['1 2'])
  batches[0]?.end()
  assert.equal((await vectors)[2]?.[0], 1)
})

test('a failed batch fails only its own texts, and the queue continues', async () => {
  const { embed, batches, settled } = openQueue()
  const outcomes = Promise.allSettled(['1', '2', '3', '4'].map((text) => embed(text)))
  await settled()
  batches[0]?.end(new Error('refused'))
  batches[1]?.end()
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'fulfilled'],
  )
  const again = embed('1')
  await settled()
  batches[2]?.end()
  assert.equal((await again)[0], 1)
})

describe('splitIntoBatches', () => {
  it('keeps the order and limits the number of texts', () =>
    assert.deepEqual(splitIntoBatches(['a', 'b', 'c', 'd', 'e'], { texts: 2, tokens: 100 }), [
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]))

  it('limits tokens, and puts a text over the limit in its own batch', () => {
    const large = 'x'.repeat(70)
    assert.deepEqual(splitIntoBatches(['a', large, 'b', 'c'], { texts: 9, tokens: 10 }), [['a'], [large], ['b', 'c']])
  })

  it('returns no batches for no texts', () => assert.deepEqual(splitIntoBatches([], { texts: 2, tokens: 9 }), []))
})
