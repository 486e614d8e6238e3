import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createObjectPages, PAGE_BYTES, type ReadRange } from './caching-proxy.ts'
import type { DiskPages } from './disk-pages.ts'

const PAGE = PAGE_BYTES
const OBJECT = Buffer.from(Array.from({ length: 3 * PAGE + 100 }, (_, i) => (i * 7 + (i >> 10)) % 251))

function memoryPages(): DiskPages & { kept: Map<string, Buffer> } {
  const kept = new Map<string, Buffer>()
  return {
    kept,
    read: async (name, start, end) => kept.get(name)?.subarray(start, end) ?? null,
    write: async (name, content) => void kept.set(name, Buffer.from(content)),
    evictUnused: async () => undefined,
    evictMatching: async () => undefined,
    close: async () => undefined,
  }
}

function store(): { readRange: ReadRange; asked: string[] } {
  const asked: string[] = []
  const readRange: ReadRange = async (key, start, end) => {
    asked.push(`${start / PAGE}-${(end + 1) / PAGE}`)
    if (key !== 'there') return null
    return { content: OBJECT.subarray(start, end + 1), size: OBJECT.length, etag: '"e"', modified: 'then' }
  }
  return { readRange, asked }
}

async function assertRange(read: ReadRange, start: number, end: number): Promise<void> {
  const range = await read('there', start, end)
  assert.ok(range?.content.equals(OBJECT.subarray(start, end + 1)), `${start}-${end}`)
  assert.deepEqual([range?.size, range?.etag, range?.modified], [OBJECT.length, '"e"', 'then'])
}

test('returns the bytes of every range, from the store and from cached pages', async () => {
  const { readRange } = store()
  const read = createObjectPages({ pages: memoryPages(), readRange })
  const ends = [0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 3 * PAGE + 50, OBJECT.length - 1, OBJECT.length + 1000]
  for (const start of ends.slice(0, -1)) for (const end of ends) if (end >= start) await assertRange(read, start, end)
})

test('reads only uncached pages from the store', async () => {
  const { readRange, asked } = store()
  const pages = memoryPages()
  const read = createObjectPages({ pages, readRange })
  await assertRange(read, PAGE + 10, PAGE + 20)
  await assertRange(read, PAGE + 30, 2 * PAGE - 1)
  assert.deepEqual(asked, ['1-2'])
  await assertRange(read, 0, OBJECT.length - 1)
  assert.deepEqual(asked, ['1-2', '0-1', '2-4'])
  pages.kept.clear()
  await assertRange(read, 5, 6)
  assert.deepEqual(asked.slice(3), ['0-1'])
})

test('a deleted object with some cached pages left is missing', async () => {
  const pages = memoryPages()
  let isGone = false
  const { readRange } = store()
  const read = createObjectPages({ pages, readRange: async (...asked) => (isGone ? null : readRange(...asked)) })
  await assertRange(read, PAGE, 2 * PAGE - 1)
  isGone = true
  assert.equal(await read('there', PAGE - 4, PAGE + 3), null)
})

test('concurrent requests for the same range share one read', async () => {
  const { readRange, asked } = store()
  const read = createObjectPages({ pages: memoryPages(), readRange })
  await Promise.all([assertRange(read, 0, 9), assertRange(read, 10, 19)])
  assert.deepEqual(asked, ['0-1'])
})

test('a missing object is null, and failures are not cached', async () => {
  const { readRange } = store()
  const read = createObjectPages({ pages: memoryPages(), readRange })
  assert.equal(await read('absent', 0, 9), null)
  let isDown = true
  const shaky: ReadRange = async (...range) => (isDown ? Promise.reject(new Error('down')) : readRange(...range))
  const readShaky = createObjectPages({ pages: memoryPages(), readRange: shaky })
  await assert.rejects(readShaky('there', 0, 9), /down/)
  isDown = false
  await assertRange(readShaky, 0, 9)
})
