/** The schedule of the purge steps, with a manual clock. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { enqueuePurge, listPurgedMemories, listPurgeTasks } from '../../../src/database/deletion/erasures-table.ts'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { processPurges } from '../../../src/services/deletion/purge.ts'
import { openFixture, silent } from './fixtures.ts'

const ROUND_MS = 15_000

/** The results of the memory files, one call after the other, and of the disk. */
type Told = { rewrites?: (number | 'full' | null)[]; drops?: boolean[]; isShort?: () => boolean }

/** Purges on scripted files; records the calls with minutes since the start. */
async function openErasures(t: TestContext, told: Told = {}) {
  const { db, now, pass } = await openFixture(t)
  const begun = now().getTime()
  const minutes = () => (now().getTime() - begun) / 60_000
  const asked: [string, number][] = []
  const memoryFile = {
    purgeDeletedRows: async () => {
      asked.push(['rewrite', minutes()])
      const answer = told.rewrites?.length ? (told.rewrites.shift() ?? null) : 7
      if (answer === 'full') throw new ApiError('insufficient_storage')
      return answer
    },
    deleteVersionsBefore: async () => {
      asked.push(['drop', minutes()])
      return told.drops?.shift() ?? true
    },
    reclaimSpace: async () => {
      asked.push(['reclaim', minutes()])
      return 9
    },
  }
  const forgetWords = async () => {}
  const blobs = { isShortOfRoom: async () => told.isShort?.() ?? false, releaseBallast: async () => {} }
  const rounds = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      await processPurges({ db, memoryFile, blobs, forgetWords, log: silent, now })
      pass(ROUND_MS)
    }
  }
  const memoryId = newId('mem')
  const remove = () => enqueuePurge(db, { memoryId, deletedAt: now().toISOString(), now: now() })
  return { db, asked, memoryId, minutes, rounds, remove }
}

test('deleted data is gone within 15 minutes, and other nodes are informed', async (t) => {
  const { db, asked, memoryId, minutes, rounds, remove } = await openErasures(t)
  await remove()
  let toldAt = 0
  while ((await listPurgeTasks(db, 10)).length > 0) {
    await rounds(1)
    if (toldAt === 0 && (await listPurgedMemories(db)).includes(memoryId)) toldAt = minutes()
    assert.ok(minutes() < 15)
  }
  assert.deepEqual(
    asked.map(([what]) => what),
    ['rewrite', 'drop'],
  )
  assert.ok(minutes() - toldAt > 1, 'there is time to look')
})

test('deletions of some minutes are one rewriting, however many they are', async (t) => {
  const { asked, rounds, remove } = await openErasures(t)
  for (let i = 0; i < 4 * 10; i += 1) {
    await remove()
    await rounds(1)
  }
  const rewrites = asked.filter(([what]) => what === 'rewrite')
  assert.ok(rewrites.length >= 3 && rewrites.length <= 4, JSON.stringify(asked))
})

test('a deletion during a rewrite is not lost', async (t) => {
  const { db, rounds, remove } = await openErasures(t)
  await remove()
  await rounds(8)
  const [before] = await listPurgeTasks(db, 10)
  await remove()
  await rounds(3)
  const now = await listPurgeTasks(db, 10)
  assert.deepEqual(
    now.map(({ version }) => version),
    [7],
  )
  await remove()
  const { first_at } = (await listPurgeTasks(db, 10)).find(({ version }) => version === 0) ?? { first_at: '' }
  assert.ok(first_at > (before?.first_at ?? ''))
})

test('a file under constant writes or with retained versions is retried', async (t) => {
  const drops = Array.from({ length: 30 }, () => false)
  const { db, asked, rounds, remove } = await openErasures(t, { rewrites: [null, null, 5, 3], drops })
  await remove()
  await rounds(4 * 40)
  const rewrites = asked.filter(([what]) => what === 'rewrite')
  assert.equal(rewrites.length, 4)
  assert.deepEqual(await listPurgeTasks(db, 10), [])
})

test('a memory without a file has nothing to erase', async (t) => {
  const { db, rounds, remove } = await openErasures(t, { rewrites: [0] })
  await remove()
  await rounds(12)
  assert.deepEqual(await listPurgeTasks(db, 10), [])
})

test('on a full disk nothing waits: deleted data leaves in the same round, also after an earlier rewrite', async (t) => {
  let isShort = true
  const { db, asked, rounds, remove } = await openErasures(t, { isShort: () => isShort })
  await remove()
  await rounds(1)
  assert.deepEqual(asked, [['reclaim', 0]])
  assert.deepEqual(
    (await listPurgeTasks(db, 10)).map(({ version, erased_at }) => [version, erased_at !== null]),
    [[9, true]],
  )
  isShort = false
  await remove()
  await rounds(12)
  assert.equal(asked.filter(([what]) => what === 'rewrite').length, 1)
  isShort = true
  await rounds(1)
  assert.deepEqual(asked.at(-1)?.[0], 'reclaim')
  await rounds(8)
  assert.deepEqual(await listPurgeTasks(db, 10), [])
})

test('a file without space for a rewrite releases its space part by part', async (t) => {
  const { db, asked, rounds, remove } = await openErasures(t, { rewrites: ['full'] })
  await remove()
  await rounds(12)
  assert.deepEqual(
    asked.map(([what]) => what),
    ['rewrite', 'reclaim'],
  )
  assert.ok((await listPurgeTasks(db, 10)).every(({ erased_at }) => erased_at !== null))
})
