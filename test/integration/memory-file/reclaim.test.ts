/**
 * On a full disk, removed data leaves the disk immediately: every file of the dataset is searched.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { deleteVersionsBefore } from '../../../src/memory-file/maintenance/reclaim.ts'
import type { ChunkRow } from '../../../src/memory-file/memory-file.ts'
import { openVersionFolder } from '../../../src/memory-file/version-files.ts'
import { chunk, type Given, terms, unit, withMemoryFile } from './memory-file-fixture.ts'

/** Chunks of separate documents, each with a word of 40 random digits. */
function strangers(count: number): ChunkRow[] {
  return Array.from({ length: count }, (_, i) =>
    chunk({ terms: `word ${randomBytes(20).toString('hex')}`, vector: unit(i % 8) }),
  )
}

const MB = 1024 * 1024
/** A disk with space for parts of a small file, but not for a full rewrite by compaction. */
const TIGHT = 8 * MB

/** A manual amount of free disk space. */
function openDisk() {
  const disk = { free: 1000 * MB, asked: 0 }
  const freeBytes = async () => {
    disk.asked += 1
    return disk.free
  }
  return { disk, freeBytes }
}

const wordOf = ({ terms }: ChunkRow) => terms.slice('word '.length)
const idsOf = (chunks: readonly ChunkRow[]) => chunks.map(({ documentId }) => documentId)
const rootOf = ({ directory }: Given, memoryId: string) => join(directory, 'memories', `${memoryId}.lance`)
const versionsOf = ({ directory }: Given, memoryId: string) =>
  openVersionFolder(join(directory, 'memories')).list(memoryId)

/** The words that a file of the memory still contains. */
async function listHeld(given: Given, memoryId: string, chunks: readonly ChunkRow[]): Promise<string[]> {
  const entries = await readdir(rootOf(given, memoryId), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))))
  return chunks.map(wordOf).filter((word) => contents.some((content) => content.includes(word)))
}

test('removed chunks leave every file immediately, partial and whole fragments, and the others are found', () => {
  const { disk, freeBytes } = openDisk()
  return withMemoryFile(
    async (given) => {
      const { file } = given
      const memoryId = newId('mem')
      const chunks = strangers(640)
      await file.add(memoryId, chunks.slice(0, 600))
      await file.maintain(memoryId)
      for (const one of chunks.slice(600)) await file.add(memoryId, [one], { areNew: true })
      const doomed = [...chunks.slice(0, 400), ...chunks.slice(620)]
      await file.deleteDocuments(memoryId, idsOf(doomed))
      assert.notDeepEqual(await listHeld(given, memoryId, doomed), [], 'the search sees what is there')

      disk.free = TIGHT
      const version = await file.reclaimSpace(memoryId)
      assert.deepEqual(await versionsOf(given, memoryId), [version])
      assert.deepEqual(await listHeld(given, memoryId, doomed), [])
      const kept = chunks.filter((one) => !doomed.includes(one))
      assert.deepEqual(new Set((await file.count(memoryId)).keys()), new Set(idsOf(kept)))
      for (const one of [kept[0], kept.at(-1)]) {
        const found = await file.searchLexical(memoryId, [one ? wordOf(one) : ''], { limit: 5 })
        assert.deepEqual(terms(found), [one?.terms])
      }
      assert.equal((await file.searchVector(memoryId, unit(3), { limit: 5 })).length, 5)
      // Again there is nothing to do, and nothing is done.
      assert.equal(await file.reclaimSpace(memoryId), version)
    },
    { vectorIndexRows: 500, freeBytes },
  )
})

test('with space for a full rewrite, the file keeps its indexes and is complete immediately', () =>
  withMemoryFile(
    async (given) => {
      const { file } = given
      const memoryId = newId('mem')
      const chunks = strangers(900)
      await file.add(memoryId, chunks)
      await file.maintain(memoryId)
      const doomed = chunks.slice(0, 300)
      await file.deleteDocuments(memoryId, idsOf(doomed))
      const version = await file.reclaimSpace(memoryId)
      assert.ok(!file.needsMaintenance(memoryId, true))
      assert.deepEqual(await versionsOf(given, memoryId), [version])
      assert.deepEqual(await listHeld(given, memoryId, doomed), [])
    },
    { vectorIndexRows: 500 },
  ))

test('a file that was reclaimed and not written to since is left alone, and one that was is not', () => {
  const { disk, freeBytes } = openDisk()
  return withMemoryFile(
    async ({ file }) => {
      const memoryId = newId('mem')
      const chunks = strangers(60)
      await file.add(memoryId, chunks)
      const version = await file.reclaimSpace(memoryId)
      disk.asked = 0
      assert.equal(await file.reclaimSpace(memoryId), version)
      await file.add(memoryId, strangers(1))
      const next = await file.reclaimSpace(memoryId)
      assert.ok(Number(next) > Number(version))
      await file.deleteDocuments(memoryId, idsOf(chunks.slice(0, 1)))
      assert.ok(Number(await file.reclaimSpace(memoryId)) > Number(next))
      await file.drop(memoryId)
      assert.equal(await file.reclaimSpace(memoryId), 0)
    },
    { freeBytes },
  )
})

test('upkeep that has no room says how much is missing', () => {
  const { disk, freeBytes } = openDisk()
  return withMemoryFile(
    async ({ file }) => {
      const memoryId = newId('mem')
      await file.add(memoryId, strangers(300))
      disk.free = 3 * MB
      await assert.rejects(file.maintain(memoryId), {
        code: 'insufficient_storage',
        message: /Free 6 MB/,
      })
    },
    { freeBytes },
  )
})

test('dropped indexes are due, and maintenance rebuilds them', () => {
  const { disk, freeBytes } = openDisk()
  return withMemoryFile(
    async ({ file }) => {
      const memoryId = newId('mem')
      const chunks = strangers(900)
      await file.add(memoryId, chunks)
      await file.maintain(memoryId)
      await file.deleteDocuments(memoryId, idsOf(chunks.slice(0, 300)))
      disk.free = TIGHT
      await file.reclaimSpace(memoryId)
      assert.ok(file.needsMaintenance(memoryId))
      disk.free = 1000 * MB
      await file.maintain(memoryId)
      assert.ok(!file.needsMaintenance(memoryId))
      const word = wordOf(chunks[700] ?? assert.fail())
      assert.deepEqual(terms(await file.searchLexical(memoryId, [word], { limit: 5 })), [`word ${word}`])
    },
    { vectorIndexRows: 500, freeBytes },
  )
})

test('concurrent searches, adds and removals are served', () =>
  withMemoryFile(async (given) => {
    const { file } = given
    const memoryId = newId('mem')
    const chunks = strangers(300)
    await file.add(memoryId, chunks.slice(0, 200))
    await file.maintain(memoryId)
    const last = chunks[199] ?? assert.fail()
    let isOver = false
    const searching = (async () => {
      for (let times = 0; !isOver || times === 0; times += 1)
        assert.equal((await file.found.searchLexical(memoryId, [wordOf(last)], { limit: 5 })).length, 1)
    })()
    const writing = (async () => {
      for (const one of chunks.slice(200)) await file.add(memoryId, [one], { areNew: true })
    })()
    for (const one of chunks.slice(0, 20)) {
      await file.deleteDocuments(memoryId, [one.documentId])
      await file.reclaimSpace(memoryId)
    }
    await writing
    isOver = true
    await searching
    assert.deepEqual(await listHeld(given, memoryId, chunks.slice(0, 20)), [])
    assert.deepEqual(new Set((await file.count(memoryId)).keys()), new Set(idsOf(chunks.slice(20))))
  }))

test('a later process finds all data, and one without a memory file nothing to do', () =>
  withMemoryFile(async ({ file, reopen }) => {
    const memoryId = newId('mem')
    assert.equal(await file.reclaimSpace(memoryId), 0)
    const chunks = strangers(50)
    await file.add(memoryId, chunks)
    await file.deleteDocuments(memoryId, idsOf(chunks.slice(0, 30)))
    await file.reclaimSpace(memoryId)
    await file.close()
    const other = await reopen()
    assert.deepEqual(new Set((await other.count(memoryId)).keys()), new Set(idsOf(chunks.slice(30))))
    await other.add(memoryId, strangers(1))
  }))

test('retained versions keep all their files, and unreferenced files are removed', () =>
  withMemoryFile(async (given) => {
    const { file, directory, reopen } = given
    const memoryId = newId('mem')
    const chunks = strangers(40)
    for (const one of chunks) await file.add(memoryId, [one])
    await file.deleteDocuments(memoryId, idsOf(chunks.slice(0, 5)))
    await file.maintain(memoryId)
    await file.close()
    const stray = join(rootOf(given, memoryId), 'data', `${'01'.repeat(12)}${'ab'.repeat(13)}.lance`)
    await writeFile(stray, 'of an add that came to nothing')
    const [newest = 0] = await versionsOf(given, memoryId)
    assert.ok((await deleteVersionsBefore(join(directory, 'memories'), memoryId, newest - 1)) > 0)
    assert.deepEqual(await versionsOf(given, memoryId), [newest, newest - 1])
    await assert.rejects(access(stray))
    const other = await reopen()
    assert.equal((await other.searchLexical(memoryId, ['word'], { limit: 100 })).length, 35)
  }))
