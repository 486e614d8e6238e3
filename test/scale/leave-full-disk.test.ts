/**
 * A full disk is left by deleting: filled through the API, then by others to the last byte, with kills and starts between. Adds go on, and what was deleted stands in no
 * file of the data folder. `SOAK_DISK_MB=1000 SOAK_MINUTES=60` for a larger disk.
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
/** What is promised (docs/guides/permanent-deletion.md). */
const PROMISED_MS = 15 * 60_000
const LOOK_AGAIN_MS = 3000
const TEXTS_AT_ONCE = 4
const TEXT_CHARACTERS = 30_000
/** In hexadecimal digits, so that no other text has it. */
const WORD_CHARACTERS = 40
const RUN = new RegExp(`[0-9a-f]{${WORD_CHARACTERS},}`, 'g')
/** Read of a file at a time. */
const PIECE_BYTES = 16 * 1024 * 1024
/** Right behind these deletions the service is killed. */
const KILLED_BEHIND: ReadonlySet<number> = new Set([5, 15])
/** Of the texts that stay, looked for in the end. */
const LOOKED_FOR = 30
/** A refusal may be of a moment in which upkeep had the room. */
const REFUSALS = 3

/** A document and the word that stands in it alone. */
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
    // Before others take what the service has left: nothing has given up what is held for deletions.
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

/** Adds until that is refused for want of room. */
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

/** Every one is answered 204, the first of them on a disk without room; the service is killed right behind some. */
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

/** The files in which a word of these documents stands as it is. */
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

/** In pieces, as a string of Node ends at 512 MB. A file that left meanwhile holds nothing; one that cannot be read fails the test. */
async function holdsWord(path: string, words: ReadonlySet<string>): Promise<boolean> {
  let end = ''
  try {
    for await (const piece of createReadStream(path, { encoding: 'latin1', highWaterMark: PIECE_BYTES })) {
      const content = end + String(piece)
      if (hasWord(content, words)) return true
      // A word may begin in this piece and end in the next.
      end = content.slice(1 - WORD_CHARACTERS)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return false
}

/** Words may stand side by side, as in a list. */
function hasWord(content: string, words: ReadonlySet<string>): boolean {
  for (const { 0: run } of content.matchAll(RUN))
    for (let at = 0; at + WORD_CHARACTERS <= run.length; at += 1)
      if (words.has(run.slice(at, at + WORD_CHARACTERS))) return true
  return false
}

/** What was not deleted is found, and file and database agree. */
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
