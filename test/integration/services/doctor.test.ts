/** Every kind of damage is created, found by name, and repaired where no data is lost. */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { openIntents } from '../../../src/database/deletion/intents-table.ts'
import { newId } from '../../../src/ids.ts'
import { newFileName } from '../../../src/memory-file/file-name.ts'
import { assertFound, openDoctor } from './doctor-fixture.ts'

test('chunks and objects of a document that no row names are found and removed', async (t) => {
  const fixture = await openDoctor(t)
  const { parts, memoryId, longId } = fixture
  await parts.db.deleteFrom('documents').where('id', '=', longId).execute()
  const found = await fixture.examine()
  const counters = found.find(({ kind }) => kind === 'wrong_counters')
  assert.ok(counters !== undefined && (await fixture.mend(counters)))
  await assertFound(fixture, 'forgotten_document', longId)
  assert.equal((await parts.memoryFile.read(memoryId, longId)).length, 0)
  assert.deepEqual(await parts.blobs.list(`memories/${memoryId}/documents/${longId}/`), [])
  assert.equal((await fixture.find('harbour')).hits.length, 1)
})

test('data of a memory that no row names is found and removed', async (t) => {
  const fixture = await openDoctor(t)
  const lost = newId('mem')
  const chunks = await fixture.parts.memoryFile.read(fixture.memoryId, fixture.shortId)
  await fixture.parts.memoryFile.add(
    lost,
    chunks.map((chunk) => ({ ...chunk, vector: new Float32Array(256), terms: 'tide', labels: [] })),
  )
  await fixture.parts.blobs.put(`memories/${lost}/documents/${newId('doc')}/text`, Buffer.from('text'))
  await assertFound(fixture, 'forgotten_memory', lost)
})

test('running writes are not reported as damage', async (t) => {
  const { parts, examine, memoryId } = await openDoctor(t)
  const id = newId('doc')
  await openIntents(parts.db, { memoryId, documentIds: [id], owner: 'test', at: parts.now().toISOString() })
  await parts.blobs.put(`memories/${memoryId}/documents/${id}/text`, Readable.from(['text']))
  assert.deepEqual(await examine(), [])
})

test('the staged upload of a document that is ready is found and removed', async (t) => {
  const fixture = await openDoctor(t)
  const { parts, memoryId, shortId } = fixture
  const folder = `memories/${memoryId}/documents/${shortId}/`
  await parts.blobs.put(`${folder}upload`, Buffer.from('as it came'))
  await parts.blobs.put(`${folder}recognized/1`, Buffer.from('{}'))
  await assertFound(fixture, 'leftover_upload', shortId)
  assert.deepEqual(await parts.blobs.list(folder), [`${folder}source`])
})

test('counters that differ are found and counted again', async (t) => {
  const fixture = await openDoctor(t)
  const { db } = fixture.parts
  const before = await db.selectFrom('memories').selectAll().execute()
  const languages = await db.selectFrom('memory_languages').selectAll().execute()
  await db.updateTable('memories').set({ document_count: 7, chunk_count: 1, storage_bytes: 0 }).execute()
  await db.deleteFrom('memory_languages').execute()
  await assertFound(fixture, 'wrong_counters', fixture.memoryId)
  assert.deepEqual(await db.selectFrom('memories').selectAll().execute(), before)
  assert.deepEqual(await db.selectFrom('memory_languages').selectAll().execute(), languages)
})

test('foreign objects are reported and kept', async (t) => {
  const fixture = await openDoctor(t)
  await fixture.parts.blobs.put('installation/id', Buffer.from('the mark of the store'))
  for (const key of ['memories/notes.txt', 'stray.txt', 'others/of/somebody']) {
    await fixture.parts.blobs.put(key, Buffer.from('of somebody'))
    await assertFound(fixture, 'strange_object', null)
    await fixture.parts.blobs.purge(key)
  }
})

test('a memory file beside the one that the memory has is found and removed', async (t) => {
  const fixture = await openDoctor(t)
  const { parts, files, memoryId } = fixture
  const beside = newFileName(memoryId)
  for await (const chunks of parts.memoryFile.scan(memoryId)) await files.add(beside, chunks)
  await assertFound(fixture, 'forgotten_memory_file', memoryId)
  assert.ok(!(await files.list()).includes(beside))
})

test('a foreign memory file is reported and kept', async (t) => {
  const fixture = await openDoctor(t)
  await mkdir(join(fixture.parts.temporaryDirectory, 'memories', 'draft_1.lance', '_versions'), { recursive: true })
  await assertFound(fixture, 'strange_memory_file', null)
})
