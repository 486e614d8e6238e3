/** The archive of a damaged memory names its damage, and the memory can still be moved. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { checkOneMemory } from '../../../src/services/doctor/check-storage.ts'
import { textDocument } from '../services/ingest-fixture.ts'
import { openArchiveFixture, readFiles } from './archive-fixture.ts'
import { type ArchiveParts, openArchive } from './rewrite-archive.ts'

const LONG = 'The tide comes and goes. '.repeat(1500)
const DOCUMENTS = 'documents/00000001.ndjson'
const CHUNKS = 'chunks/00000001.ndjson'

async function openFixture(t: TestContext) {
  const fixture = await openArchiveFixture(t)
  const options = { storeSource: true }
  const { documentIds } = await fixture.add({}, [textDocument('A note on the harbour.'), textDocument(LONG)], options)
  const [shortId = '', longId = ''] = documentIds
  const keyOf = (id: string, name: string) => `memories/${fixture.memory.id}/documents/${id}/${name}`
  const damagesOf = async (memoryId: string) => {
    const kinds: string[] = []
    await checkOneMemory(fixture.parts, memoryId, { note: ({ kind }) => void kinds.push(kind) })
    return kinds.sort()
  }
  const importChanged = async (change: (parts: ArchiveParts) => ArchiveParts) => {
    const parts = await openArchive(await fixture.exportWhole(fixture.memory.id))
    return fixture.importWhole(await change(parts).seal().write())
  }
  return { ...fixture, shortId, longId, keyOf, damagesOf, importChanged }
}

test('a memory with wrong texts, chunks and originals is exported with their documents named, and imported as it is, with a warning', async (t) => {
  const fixture = await openFixture(t)
  const { parts, memory, shortId, longId, keyOf, damagesOf } = fixture
  await parts.blobs.put(keyOf(longId, 'text'), Buffer.from(LONG.replace('tide', 'moon')))
  await parts.blobs.put(keyOf(shortId, 'source'), Buffer.from('A note on the hArbour.'))
  for await (const [chunk] of parts.memoryFile.scan(memory.id, { documentIds: [shortId] })) {
    assert.ok(chunk !== undefined)
    await parts.memoryFile.add(memory.id, [{ ...chunk, text: 'A note on the harbor..' }])
  }
  const damages = await damagesOf(memory.id)
  assert.deepEqual(damages, ['wrong_chunks', 'wrong_original', 'wrong_text'])
  const archive = await fixture.exportWhole(memory.id)
  const manifest = (await readFiles(archive)).find(({ name }) => name === 'manifest.json')
  assert.deepEqual(JSON.parse(manifest?.content.toString() ?? '').incomplete.sort(), [1, 2])
  const copy = await fixture.importWhole(archive)
  assert.deepEqual(
    copy.warnings.map(({ code }) => code),
    ['documents_incomplete'],
  )
  assert.match(copy.warnings[0]?.message ?? '', /2 documents had missing or damaged data/)
  assert.deepEqual(await damagesOf(copy.id), damages)
})

test('a memory without a stored text is imported without it, with a warning', async (t) => {
  const fixture = await openFixture(t)
  await fixture.parts.blobs.purge(fixture.keyOf(fixture.longId, 'text'))
  const copy = await fixture.importWhole(await fixture.exportWhole(fixture.memory.id))
  assert.deepEqual(
    copy.warnings.map(({ code }) => code),
    ['documents_incomplete'],
  )
  assert.equal(copy.documentCount, 2)
})

test('originals keep their hashes through an export; archives without hashes get the computed ones', async (t) => {
  const { importChanged, parts, memory } = await openFixture(t)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const expected = [sha256('A note on the harbour.'), sha256(LONG)]
  const hashesOf = async (memoryId: string) => {
    const rows = await parts.db
      .selectFrom('documents')
      .select('original_hash')
      .where('memory_id', '=', memoryId)
      .orderBy('seq')
      .execute()
    return rows.map(({ original_hash }) => original_hash)
  }
  assert.deepEqual(await hashesOf(memory.id), expected)
  assert.deepEqual(await hashesOf((await importChanged((archive) => archive)).id), expected)
  const withoutHashes = (archive: ArchiveParts) => {
    for (const line of [0, 1]) archive.edit(DOCUMENTS, ({ originalHash: _, ...document }) => document, line)
    return archive
  }
  assert.deepEqual(await hashesOf((await importChanged(withoutHashes)).id), expected)
})

test('the terms of an imported memory come from its text, not from its archive', async (t) => {
  const { importChanged, damagesOf, findIn } = await openFixture(t)
  const copy = await importChanged((archive) => archive.edit(CHUNKS, (chunk) => ({ ...chunk, terms: 'lighthouse' })))
  assert.deepEqual(await damagesOf(copy.id), [])
  assert.equal((await findIn(copy.id, 'harbour note')).hits[0]?.text, 'A note on the harbour.')
})
