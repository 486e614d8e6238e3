/**
 * Removed data leaves the disk: every file of the dataset is searched, and compressed data is
 * measured.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { readManifest } from '../../../src/memory-file/manifest.ts'
import type { ChunkRow } from '../../../src/memory-file/memory-file.ts'
import { chunk, type Given, terms, unit, withMemoryFile } from './memory-file-fixture.ts'

const GRACE_MS = 11 * 60_000

/** A manual clock; versions carry the machine's time. */
function clock() {
  let ahead = 0
  const pass = () => {
    ahead += GRACE_MS
  }
  return { now: () => new Date(Date.now() + ahead), pass }
}

/** Chunks of separate documents, each with an incompressible word of 40 random digits. */
function strangers(count: number): ChunkRow[] {
  return Array.from({ length: count }, (_, i) =>
    chunk({ terms: `word ${randomBytes(20).toString('hex')}`, vector: unit(i % 8) }),
  )
}

async function listFiles({ directory }: Given, memoryId: string): Promise<string[]> {
  const folder = join(directory, 'memories', `${memoryId}.lance`)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The files that contain one of these words in plain form. */
async function listHolding(given: Given, memoryId: string, words: readonly string[]): Promise<string[]> {
  const files = await listFiles(given, memoryId)
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return files.filter((_, i) => words.some((word) => contents[i]?.includes(word)))
}

async function measureWords(given: Given, memoryId: string): Promise<number> {
  const files = (await listFiles(given, memoryId)).filter((file) => file.endsWith('_tokens.lance'))
  return (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0)
}

const wordsOf = (chunks: readonly ChunkRow[]) => chunks.map(({ terms }) => terms.slice('word '.length))

/**
 * Removes the chunks, writes again, lets the grace period pass, and asserts that nothing is left of
 * the chunks.
 */
async function assertErased(given: Given, memoryId: string, doomed: readonly ChunkRow[], pass: () => void) {
  const { file } = given
  assert.notDeepEqual(await listHolding(given, memoryId, wordsOf(doomed)), [], 'the search sees what is there')
  await file.deleteDocuments(
    memoryId,
    doomed.map(({ documentId }) => documentId),
  )
  const version = await file.purgeDeletedRows(memoryId)
  assert.ok(version !== null && version > 0)
  pass()
  assert.equal(await file.deleteVersionsBefore(memoryId, version), true)
  assert.deepEqual(await listHolding(given, memoryId, wordsOf(doomed)), [])
}

test('a removed document leaves every file, and the others stay', async () => {
  const { now, pass } = clock()
  await withMemoryFile(
    async (given) => {
      const memoryId = newId('mem')
      const chunks = strangers(600)
      await given.file.add(memoryId, chunks)
      await given.file.maintain(memoryId)
      const before = await given.file.purgeDeletedRows(memoryId)
      await assertErased(given, memoryId, chunks.slice(0, 2), pass)
      assert.notEqual(await given.file.purgeDeletedRows(memoryId), before)
      const word = wordsOf(chunks)[7] ?? ''
      assert.deepEqual(terms(await given.file.searchLexical(memoryId, [word], { limit: 5 })), [`word ${word}`])
      assert.equal((await given.file.count(memoryId)).size, 598)
      assert.equal(
        await given.file.purgeDeletedRows(memoryId),
        await given.file.purgeDeletedRows(memoryId),
        'once is enough',
      )
    },
    { now },
  )
})

test('the words of removed documents leave the index, however they went', async () => {
  const { now, pass } = clock()
  await withMemoryFile(
    async (given) => {
      const memoryId = newId('mem')
      const chunks = strangers(600)
      await given.file.add(memoryId, chunks)
      await given.file.maintain(memoryId)
      const whole = await measureWords(given, memoryId)
      await assertErased(given, memoryId, chunks.slice(300), pass)
      const half = await measureWords(given, memoryId)
      assert.ok(half < whole * 0.6, `${half} bytes of words instead of ${whole}`)
      // A whole fragment: no compaction visits its old place.
      await assertErased(given, memoryId, chunks.slice(0, 300), pass)
      const none = await measureWords(given, memoryId)
      assert.ok(none < whole * 0.1, `${none} bytes of words instead of ${whole}`)
    },
    { now },
  )
})

test('a removed document leaves a memory whose vectors are indexed, and one of several fragments', async () => {
  const { now, pass } = clock()
  await withMemoryFile(
    async (given) => {
      const memoryId = newId('mem')
      const chunks = strangers(700)
      await given.file.add(memoryId, chunks.slice(0, 600))
      await given.file.maintain(memoryId)
      for (const one of chunks.slice(600)) await given.file.add(memoryId, [one], { areNew: true })
      await assertErased(given, memoryId, [...chunks.slice(0, 3), ...chunks.slice(650, 653)], pass)
      assert.equal((await given.file.searchVector(memoryId, unit(3), { limit: 5 })).length, 5)
    },
    { now, vectorIndexRows: 500 },
  )
})

test('rows are rewritten during concurrent writes without a loss', async () => {
  const { now, pass } = clock()
  await withMemoryFile(
    async (given) => {
      const memoryId = newId('mem')
      const chunks = strangers(400)
      await given.file.add(memoryId, chunks.slice(0, 300))
      await given.file.maintain(memoryId)
      const doomed = chunks.slice(0, 3)
      await given.file.deleteDocuments(
        memoryId,
        doomed.map(({ documentId }) => documentId),
      )
      let isOver = false
      const others = (async () => {
        for (let i = 300; !isOver && i < 400; i += 1) {
          const [added, removed] = [chunks[i], chunks[i - 200]]
          if (added) await given.file.add(memoryId, [added])
          if (removed) await given.file.deleteDocuments(memoryId, [removed.documentId])
        }
      })()
      let version: number | null = null
      while (version === null) version = await given.file.purgeDeletedRows(memoryId)
      isOver = true
      await others
      pass()
      await given.file.deleteVersionsBefore(memoryId, version)
      assert.deepEqual(await listHolding(given, memoryId, wordsOf(doomed)), [])
      const ids = new Set((await given.file.count(memoryId)).keys())
      assert.ok(chunks.slice(3, 100).every(({ documentId }) => ids.has(documentId)))
    },
    { now },
  )
})

test('the leftovers of a failed write are removed as well', async () => {
  const { now, pass } = clock()
  await withMemoryFile(
    async (given) => {
      const memoryId = newId('mem')
      const chunks = strangers(10)
      await given.file.add(memoryId, chunks)
      const [word = ''] = wordsOf(strangers(1))
      const stray = join(
        given.directory,
        'memories',
        `${memoryId}.lance`,
        'data',
        `${'01'.repeat(12)}${'ab'.repeat(13)}.lance`,
      )
      await writeFile(stray, word)
      await assertErased(given, memoryId, chunks.slice(0, 1), pass)
      assert.deepEqual(await listHolding(given, memoryId, [word]), [])
    },
    { now },
  )
})

test('a manifest names the fragments with removed rows and the sources of the indexes', async () => {
  await withMemoryFile(async (given) => {
    const memoryId = newId('mem')
    const chunks = strangers(40)
    await given.file.add(memoryId, chunks)
    await given.file.maintain(memoryId)
    await given.file.deleteDocuments(memoryId, [chunks[0]?.documentId ?? ''])
    const manifests = (await listFiles(given, memoryId)).filter((file) => file.endsWith('.manifest')).sort()
    const { fragments, indexes, version } = readManifest(await readFile(manifests[0] ?? ''))
    assert.deepEqual(
      fragments.map(({ rows, deletedRows }) => [rows, deletedRows]),
      [[40, 1]],
    )
    assert.deepEqual(
      indexes.map(({ name, fragmentIds }) => [name, [...fragmentIds]]),
      [['terms_idx', [fragments[0]?.id]]],
    )
    assert.equal(version, manifests.length)
  })
})
