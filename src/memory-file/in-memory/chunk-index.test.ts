import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBestSlots } from './best-slots.ts'
import { createChunkIndex, type IndexedRows } from './chunk-index.ts'
import { startIndexThread } from './index-thread.ts'
import { createTermPostings } from './term-postings.ts'
import { createVectorMemory } from './vector-blocks.ts'

function toTexts(texts: readonly string[]) {
  const offsets = new Int32Array(texts.length + 1)
  const parts = texts.map((text) => Buffer.from(text))
  parts.forEach((part, at) => {
    offsets[at + 1] = (offsets[at] ?? 0) + part.length
  })
  return { bytes: new Uint8Array(Buffer.concat(parts)), offsets }
}

type Row = { terms?: string; vector?: readonly number[] }

function toRows(first: number, rows: readonly Row[]): IndexedRows {
  const dimensions = rows[0]?.vector?.length ?? 2
  const vectors = new Float16Array(rows.flatMap(({ vector }) => vector ?? Array(dimensions).fill(0)))
  return {
    slots: Uint32Array.from(rows, (_, at) => first + at),
    documents: new Uint32Array(rows.length),
    kinds: toTexts(rows.map(() => 'document')),
    terms: toTexts(rows.map(({ terms }) => terms ?? '')),
    vectors: new Uint16Array(vectors.buffer),
  }
}

const SEED = 11

function* random(): Generator<number, number> {
  for (let state = SEED; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647
}

test('cosines are those of the vectors to .002, whatever their length, and the nearest are all found', () => {
  const numbers = random()
  const next = () => numbers.next().value - 0.5
  for (const dimensions of [1, 31, 33, 384]) {
    const vectors = Array.from({ length: 3000 }, () => normalize(Array.from({ length: dimensions }, next)))
    const index = createChunkIndex(createVectorMemory(), dimensions)
    index.add(
      toRows(
        0,
        vectors.map((vector) => ({ vector })),
      ),
    )
    const query = normalize(Array.from({ length: dimensions }, next))
    const cosines = vectors.map((vector) => vector.reduce((sum, number, at) => sum + number * (query[at] ?? 0), 0))
    const { slots, scores } = index.searchVector(Float32Array.from(query), { limit: 50 })
    assert.equal(slots.length, 50)
    const bound = cosines.toSorted((a, b) => b - a)[49] ?? 0
    slots.forEach((slot, at) => {
      assert.ok(Math.abs((scores[at] ?? 0) - (cosines[slot] ?? 0)) < 0.002, `${dimensions} numbers`)
      assert.ok((cosines[slot] ?? 0) > bound - 0.01)
    })
  }
})

function normalize(vector: number[]): number[] {
  const length = Math.hypot(...vector)
  return vector.map((number) => number / length)
}

test('memory of closed indexes is used again', () => {
  const memory = createVectorMemory()
  const fill = () => {
    const index = createChunkIndex(memory, 2)
    index.add(toRows(0, [{ vector: [1, 0] }]))
    return index
  }
  fill().close()
  const address = memory.take(1024 * 40)
  memory.free(address, 1024 * 40)
  fill()
  assert.notEqual(memory.take(1024 * 40), address)
})

test('a chunk counts each of its terms up to 255 times, and terms in many chunks are all found', () => {
  const postings = createTermPostings()
  assert.equal(postings.add(0, Buffer.from('rare '.repeat(300))), 300)
  for (let slot = 1; slot < 5000; slot += 1) postings.add(slot, Buffer.from(`common c${slot}`))
  const common: number[] = []
  postings.visit(postings.find('common'), (page, start, end) => common.push(...page.subarray(start, end)))
  assert.deepEqual(
    common.map((posting) => posting >>> 8),
    Array.from({ length: 4999 }, (_, at) => at + 1),
  )
  postings.visit(postings.find('rare'), (page, start) => assert.equal((page[start] ?? 0) & 255, 255))
  assert.equal(postings.countOf(postings.find('c4999')), 1)
  assert.equal(postings.find('c5000'), -1)
})

test('removed chunks are not found and do not count for the rarity of a term', () => {
  const index = createChunkIndex(createVectorMemory(), 2)
  const rows = ['heron pond', 'heron reed', 'crane pond', 'gull'].map((terms) => ({ terms, vector: [1, 0] }))
  index.add(toRows(0, rows))
  index.remove(Uint32Array.of(1))
  const rest = createChunkIndex(createVectorMemory(), 2)
  rest.add(
    toRows(
      0,
      rows.filter((_, at) => at !== 1),
    ),
  )
  const found = index.searchLexical(['heron', 'pond'], { limit: 9 })
  assert.deepEqual([...found.slots], [0, 2])
  assert.deepEqual(found.scores, rest.searchLexical(['heron', 'pond'], { limit: 9 }).scores)
  assert.deepEqual([...index.searchVector(Float32Array.of(1, 0), { limit: 9 }).slots], [0, 2, 3])
})

test('of equal scores the lower slots are kept, in order', () => {
  const best = createBestSlots(3)
  for (const [slot, score] of [
    [1, 2],
    [2, 5],
    [3, 2],
    [4, 2],
    [5, 5],
  ] as const)
    best.offer(slot, score)
  assert.deepEqual([...best.list().slots], [2, 5, 1])
  assert.deepEqual([...createBestSlots(0).list().slots], [])
})

test('large columns of added rows are moved to the thread, not copied', async () => {
  const thread = startIndexThread()
  const rows = toRows(0, [{ terms: 'heron', vector: [1, 0] }])
  await thread.call({ index: 1, kind: 'create', dimensions: 2 })
  await thread.call({ index: 1, kind: 'add', rows })
  assert.deepEqual([rows.terms.bytes.length, rows.terms.offsets.length, rows.vectors.length], [0, 0, 0])
  const found = await thread.call({ index: 1, kind: 'lexical', terms: ['heron'], limit: 1 })
  assert.deepEqual(found?.slots, Uint32Array.of(0))
  await thread.terminate()
})
