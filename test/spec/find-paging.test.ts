import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Found } from './shapes.ts'
import { addTexts, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const NOTES = 260
let memoryId = ''
const service = useService({}, async (started) => {
  memoryId = await makeMemory(started)
  const notes = Array.from({ length: NOTES }, (_, index) => {
    return {
      text: `Berth ${index} is let to the crew of boat ${index}.${' It has light and water.'.repeat(index % 37)}`,
    }
  })
  assertStatus(await addTexts(started, memoryId, notes), 200)
})

async function find(options: object, query = 'berth boat crew'): Promise<Found> {
  const answer = await service.post<Found>(`/v1/memories/${memoryId}/find`, { query, options })
  assertStatus(answer, 200)
  return answer.json
}

async function readAll(limit: number): Promise<Found['hits']> {
  const hits: Found['hits'] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Found = await find({ limit, ...(cursor === undefined ? {} : { cursor }) })
    hits.push(...page.hits)
    cursor = page.nextCursor
  }
  return hits
}

test('the pages of a find continue after 100 hits, each passage once, in order', async () => {
  verifies('find.cursor')
  // The first search of a memory reads its file, which may order equal passages differently.
  for (let tries = 0; tries < 5; tries += 1) await find({ limit: 1 })
  await pause(1000)
  const all = await readAll(100)
  assert.ok(all.length > 190, `${all.length} hits`)
  assert.equal(new Set(all.map(({ chunkId }) => chunkId)).size, all.length)
  assert.deepEqual(
    all.map(({ rank }) => rank),
    all.map((_, index) => index + 1),
  )
  const scores = all.map(({ score }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  const small = await readAll(30)
  assert.deepEqual(
    small.map(({ chunkId }) => chunkId),
    all.map(({ chunkId }) => chunkId),
  )
})

test('the last page has no cursor, and a cursor fits its own request only', async () => {
  verifies('find.cursor')
  const few = await find({}, 'Berth 17')
  assert.ok(few.totalHits >= few.hits.length)
  const { nextCursor: cursor } = await find({ limit: 10 })
  assert.ok(cursor)
  const path = `/v1/memories/${memoryId}/find`
  for (const body of [
    { query: 'another query', options: { cursor } },
    { query: 'berth boat crew', options: { cursor, minScore: 0.1 } },
    { query: 'berth boat crew', options: { cursor: `${cursor}x` } },
    { query: 'berth boat crew', options: { cursor: 'MQ' } },
  ])
    assertError(await service.post(path, body), 400, 'invalid_cursor')
  const other = await makeMemory(service, 'Other')
  const asked = { query: 'berth boat crew', options: { cursor } }
  assertError(await service.post(`/v1/memories/${other}/find`, asked), 400, 'invalid_cursor')
})
