import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { createTextQueue, splitIntoBatches } from './text-queue.ts'

/** A queue whose batches end when they are let, of three texts at most, two at a time. */
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

test('texts of many callers go in few batches, so many at a time, in the order they came', async () => {
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

test('a text that two callers ask for at once is sent once', async () => {
  const { embed, batches, settled, sent } = openQueue()
  const vectors = Promise.all([embed('1'), embed('2'), embed('1')])
  await settled()
  assert.deepEqual(sent(), ['1 2'])
  batches[0]?.end()
  assert.equal((await vectors)[2]?.[0], 1)
})

test('a batch that fails fails its own texts alone, and the queue goes on', async () => {
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
  it('keeps the order and counts texts', () =>
    assert.deepEqual(splitIntoBatches(['a', 'b', 'c', 'd', 'e'], { texts: 2, tokens: 100 }), [
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]))

  it('counts tokens, and leaves a text that is too large alone', () => {
    const large = 'x'.repeat(70)
    assert.deepEqual(splitIntoBatches(['a', large, 'b', 'c'], { texts: 9, tokens: 10 }), [['a'], [large], ['b', 'c']])
  })

  it('makes no batch of nothing', () => assert.deepEqual(splitIntoBatches([], { texts: 2, tokens: 9 }), []))
})
