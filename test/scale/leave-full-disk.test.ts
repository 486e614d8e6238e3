/**
 * Deletions free a full disk: filled through the API, then by others to the last byte, with kills
 * and restarts. Adds work again, and no file of the data folder contains deleted words.
 * `SOAK_DISK_MB=1000 SOAK_MINUTES=60` uses a larger disk.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertError, assertStatus } from '../spec/answer.ts'
import { prose } from '../spec/prose.ts'
import { createService, type Service } from '../spec/service.ts'
import type { Added } from '../spec/shapes.ts'
import { addTexts, find, makeMemory } from '../spec/steps.ts'
import { mountSmallDisk, type SmallDisk } from './support/small-disk.ts'

const DISK_MB = Number(process.env['SOAK_DISK_MB'] ?? 100)
/** The promise of docs/guides/permanent-deletion.md. */
const PROMISED_MS = 15 * 60_000
const LOOK_AGAIN_MS = 3000
const TEXTS_AT_ONCE = 4
const TEXT_CHARACTERS = 30_000
/** Hexadecimal digits, unlike any other text. */
const WORD_CHARACTERS = 40
const RUN = new RegExp(`[0-9a-f]{${WORD_CHARACTERS},}`, 'g')
/** Read of a file at a time. */
const PIECE_BYTES = 16 * 1024 * 1024
/** The service is killed directly after these deletions. */
const KILLED_BEHIND: ReadonlySet<number> = new Set([5, 15])
/** Remaining texts to search for at the end. */
const LOOKED_FOR = 30
/** A single refusal may coincide with a running compaction. */
const REFUSALS = 3

/** A document with its unique word. */
type Marked = { id: string; word: string }

test(`a disk of ${DISK_MB} MB that is full to the last byte is left by deleting two thirds, over kills and starts`, async (context) => {
  const root = await mkdtemp(join(tmpdir(), 'recollect-full-'))
  const disk = await mountSmallDisk(join(root, 'disk'), DISK_MB)
  if (disk === null) return context.skip('this process may not mount a disk')
  const dataDirectory = join(disk.path, 'data')
  const service = createService({ RECOLLECT_LOG_LEVEL: 'info', RECOLLECT_DATA_DIR: dataDirectory })
  try {
    await service.start()
    const memoryId = await makeMemory(service)
    const documents = await fillByAdding(service, memoryId)
    context.diagnostic(`${documents.length} documents`)
    // Before others fill the disk, the reserve for deletions still exists.
    await access(join(dataDirectory, 'objects', 'reserve'))
    await service.kill()
    await disk.fill()
    await service.start()
    const gone = documents.filter((_, index) => index % 3 !== 0)
    const kept = documents.filter((_, index) => index % 3 === 0)
    await deleteOverKills(service, memoryId, gone)

    const begunAt = performance.now()
    await untilAdded(service, memoryId)
    context.diagnostic(`added again after ${Math.round((performance.now() - begunAt) / 1000)} s`)
    await untilErased(dataDirectory, gone)
    context.diagnostic(`erased after ${Math.round((performance.now() - begunAt) / 1000)} s`)
    await assertWhole(service, memoryId, kept, disk)
  } finally {
    await service.kill()
    await disk.remove()
    await rm(root, { recursive: true, force: true })
  }
})

/** Adds until the service refuses for lack of space. */
async function fillByAdding(service: Service, memoryId: string): Promise<Marked[]> {
  const documents: Marked[] = []
  for (let refused = 0, seed = 1; refused < REFUSALS; seed += 1) {
    const words = Array.from({ length: TEXTS_AT_ONCE }, () => randomBytes(WORD_CHARACTERS / 2).toString('hex'))
    const texts = words.map((word, i) => ({ title: 'n', text: `${word} ${prose(TEXT_CHARACTERS, seed * 100 + i)}` }))
    const answer = await addTexts(service, memoryId, texts)
    if (answer.status === 200) documents.push(...pair(answer.json, words))
    else {
      assertError(answer, 507, 'insufficient_storage')
      refused += 1
    }
  }
  return documents
}

function pair({ documentIds }: Added, words: readonly string[]): Marked[] {
  assert.equal(documentIds.length, words.length)
  return documentIds.map((id, i) => ({ id, word: words[i] ?? '' }))
}

/**
 * Every deletion is answered 204, the first on a full disk; the service is killed directly after
 * some.
 */
async function deleteOverKills(service: Service, memoryId: string, documents: readonly Marked[]): Promise<void> {
  for (const [index, { id }] of documents.entries()) {
    assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
    if (KILLED_BEHIND.has(index)) await service.crash()
  }
}

async function untilAdded(service: Service, memoryId: string): Promise<void> {
  const until = performance.now() + PROMISED_MS
  for (;;) {
    const answer = await addTexts(service, memoryId, [{ title: 'n', text: 'There is room again.' }])
    if (answer.status === 200) return
    assertError(answer, 507, 'insufficient_storage')
    assert.ok(performance.now() < until, 'adding is refused for too long')
    await pause(LOOK_AGAIN_MS)
  }
}

async function untilErased(dataDirectory: string, documents: readonly Marked[]): Promise<void> {
  const until = performance.now() + PROMISED_MS
  for (;;) {
    const held = await listHeld(dataDirectory, documents)
    if (held.length === 0) return
    assert.ok(performance.now() < until, `what was deleted stands in ${held.join(', ')}`)
    await pause(LOOK_AGAIN_MS)
  }
}

/** The files that contain a word of these documents in plain form. */
async function listHeld(dataDirectory: string, documents: readonly Marked[]): Promise<string[]> {
  const words = new Set(documents.map(({ word }) => word))
  const entries = await readdir(dataDirectory, { recursive: true, withFileTypes: true })
  const held: string[] = []
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if (await holdsWord(path, words)) held.push(path)
  }
  return held
}

/**
 * Reads in pieces, since a Node string ends at 512 MB. A file removed meanwhile contains nothing;
 * an unreadable file fails the test.
 */
async function holdsWord(path: string, words: ReadonlySet<string>): Promise<boolean> {
  let end = ''
  try {
    for await (const piece of createReadStream(path, { encoding: 'latin1', highWaterMark: PIECE_BYTES })) {
      const content = end + String(piece)
      if (hasWord(content, words)) return true
      // A word may span two pieces.
      end = content.slice(1 - WORD_CHARACTERS)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return false
}

/** Words may be adjacent, as in a list. */
function hasWord(content: string, words: ReadonlySet<string>): boolean {
  for (const { 0: run } of content.matchAll(RUN))
    for (let at = 0; at + WORD_CHARACTERS <= run.length; at += 1)
      if (words.has(run.slice(at, at + WORD_CHARACTERS))) return true
  return false
}

/** Asserts that remaining documents are found, and that memory file and database agree. */
async function assertWhole(service: Service, memoryId: string, kept: readonly Marked[], disk: SmallDisk) {
  const step = Math.max(1, Math.floor(kept.length / LOOKED_FOR))
  for (const { id, word } of kept.filter((_, index) => index % step === 0)) {
    const { hits } = await find(service, memoryId, word, { options: { mode: 'lexical' } })
    assert.equal(hits[0]?.documentId, id)
  }
  const { json } = await service.get<{ ok: boolean; problems: unknown }>(`/v1/memories/${memoryId}/verify`)
  assert.deepEqual([json.ok, json.problems], [true, []])
  await disk.free()
}
