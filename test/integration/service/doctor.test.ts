/** Each kind of damage is made, found by its name, and mended where that loses nothing. */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { DAMAGES, type Damage } from '../../../src/service/doctor/damage.ts'
import { examineStorage } from '../../../src/service/doctor/examine-storage.ts'
import { mendStorage } from '../../../src/service/doctor/mend-storage.ts'
import { openIntents } from '../../../src/store/intents.ts'
import { openIngestHouse, textDocument } from './ingest-house.ts'

const LONG = 'The tide comes and goes. '.repeat(1500)

async function openDoctor(t: TestContext) {
  const house = await openIngestHouse(t)
  const { db, blobs, memoryFile, removals, now } = house.parts
  const parts = { db, blobs, memoryFile: { ...memoryFile, list: house.files.list } }
  const examine = async () => {
    const found: Damage[] = []
    for await (const damage of examineStorage(parts)) found.push(damage)
    return found
  }
  const mend = (damage: Damage) => mendStorage({ db, removals, now }, damage)
  const added = await house.add({}, [textDocument('A note on the harbour.'), textDocument(LONG, { title: 'long' })], {
    storeSource: true,
  })
  const [shortId = '', longId = ''] = added.documentIds
  assert.deepEqual(await examine(), [])
  return { ...house, examine, mend, memoryId: house.memory.id, shortId, longId }
}

type House = Awaited<ReturnType<typeof openDoctor>>

/** Finds this alone; mends it where it can be mended, and finds nothing then. */
async function assertFound({ examine, mend }: House, kind: Damage['kind'], id: string | null): Promise<void> {
  const found = await examine()
  assert.deepEqual(
    found.map((damage) => [damage.kind, damage.documentId ?? damage.memoryId]),
    [[kind, id]],
  )
  const [damage] = found
  assert.ok(damage !== undefined)
  const isMended = await mend(damage)
  assert.equal(isMended, DAMAGES[kind].mends !== null)
  assert.equal((await examine()).length, isMended ? 0 : 1)
}

test('chunks and objects of a document that no row names are found and removed', async (t) => {
  const house = await openDoctor(t)
  const { parts, memoryId, longId } = house
  await parts.db.deleteFrom('documents').where('id', '=', longId).execute()
  const found = await house.examine()
  const counters = found.find(({ kind }) => kind === 'wrong_counters')
  assert.ok(counters !== undefined && (await house.mend(counters)))
  await assertFound(house, 'forgotten_document', longId)
  assert.equal((await parts.memoryFile.read(memoryId, longId)).length, 0)
  assert.deepEqual(await parts.blobs.list(`memories/${memoryId}/documents/${longId}/`), [])
  assert.equal((await house.find('harbour')).hits.length, 1)
})

test('data of a memory that no row names is found and removed', async (t) => {
  const house = await openDoctor(t)
  const lost = newId('mem')
  const chunks = await house.parts.memoryFile.read(house.memoryId, house.shortId)
  await house.parts.memoryFile.add(
    lost,
    chunks.map((chunk) => ({ ...chunk, vector: new Float32Array(256), terms: 'tide', labels: [] })),
  )
  await house.parts.blobs.put(`memories/${lost}/documents/${newId('doc')}/text`, Buffer.from('text'))
  await assertFound(house, 'forgotten_memory', lost)
})

test('what is being written is no damage', async (t) => {
  const { parts, examine, memoryId } = await openDoctor(t)
  const id = newId('doc')
  await openIntents(parts.db, { memoryId, documentIds: [id], owner: 'test', at: parts.now().toISOString() })
  await parts.blobs.put(`memories/${memoryId}/documents/${id}/text`, Readable.from(['text']))
  assert.deepEqual(await examine(), [])
})

test('the staged upload of a document that is ready is found and removed', async (t) => {
  const house = await openDoctor(t)
  const { parts, memoryId, shortId } = house
  const folder = `memories/${memoryId}/documents/${shortId}/`
  await parts.blobs.put(`${folder}upload`, Buffer.from('as it came'))
  await parts.blobs.put(`${folder}recognized/1`, Buffer.from('{}'))
  await assertFound(house, 'leftover_upload', shortId)
  assert.deepEqual(await parts.blobs.list(folder), [`${folder}source`])
})

test('counters that differ are found and counted again', async (t) => {
  const house = await openDoctor(t)
  const { db } = house.parts
  const before = await db.selectFrom('memories').selectAll().execute()
  const languages = await db.selectFrom('memory_languages').selectAll().execute()
  await db.updateTable('memories').set({ document_count: 7, chunk_count: 1, storage_bytes: 0 }).execute()
  await db.deleteFrom('memory_languages').execute()
  await assertFound(house, 'wrong_counters', house.memoryId)
  assert.deepEqual(await db.selectFrom('memories').selectAll().execute(), before)
  assert.deepEqual(await db.selectFrom('memory_languages').selectAll().execute(), languages)
})

test('a document without its chunks, text or original is found and left', async (t) => {
  const house = await openDoctor(t)
  const { parts, memoryId, shortId, longId } = house
  const folder = `memories/${memoryId}/documents/${longId}/`
  await parts.memoryFile.remove(memoryId, [shortId])
  await assertFound(house, 'missing_chunks', shortId)
  await parts.blobs.removeAll(`${folder}text`)
  await parts.blobs.removeAll(`${folder}source`)
  const kinds = (await house.examine()).map(({ kind, documentId }) => [kind, documentId]).sort()
  const expected = [
    ['missing_chunks', shortId],
    ['missing_original', longId],
    ['missing_text', longId],
  ]
  assert.deepEqual(kinds, expected)
  for (const damage of await house.examine()) assert.equal(await house.mend(damage), false)
})

test('more chunks than a document should have, and objects that are none of ours, are found and left', async (t) => {
  const house = await openDoctor(t)
  const { parts, memoryId, shortId } = house
  await parts.blobs.put('memories/notes.txt', Buffer.from('of somebody'))
  await assertFound(house, 'strange_object', null)
  await parts.blobs.removeAll('memories/notes.txt')
  const [chunk] = await parts.memoryFile.read(memoryId, shortId)
  assert.ok(chunk !== undefined)
  const more = { ...chunk, chunkIndex: 99, vector: new Float32Array(256), terms: 'tide', labels: [] }
  await parts.memoryFile.add(memoryId, [more])
  await assertFound(house, 'surplus_chunks', shortId)
})

test('a memory file that is none of ours is found and left', async (t) => {
  const house = await openDoctor(t)
  await mkdir(join(house.parts.temporaryDirectory, 'memories', 'draft_1.lance', '_versions'), { recursive: true })
  await assertFound(house, 'strange_memory_file', null)
})
