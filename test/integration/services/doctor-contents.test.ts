/** Damage inside a memory is created, found by name, and repaired from intact data. */
import assert from 'node:assert/strict'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '@lancedb/lancedb'
import { toChunkTable } from '../../../src/memory-file/chunk-table.ts'
import type { ChunkRow } from '../../../src/memory-file/memory-file.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import { checkOneMemory } from '../../../src/services/doctor/check-storage.ts'
import { rebuildTerms } from '../../../src/services/doctor/rebuild-chunks.ts'
import { assertFound, type DoctorFixture, LONG, openDoctor } from './doctor-fixture.ts'
import { textDocument } from './ingest-fixture.ts'

/** The stored chunks of a document. */
async function readChunks({ parts, memoryId }: DoctorFixture, documentId: string): Promise<ChunkRow[]> {
  const all: ChunkRow[] = []
  for await (const batch of parts.memoryFile.scan(memoryId, { documentIds: [documentId] })) all.push(...batch)
  return all
}

/** Text and places, which a rebuild keeps. */
const placesOf = (chunks: readonly ChunkRow[]) =>
  chunks.map(({ chunkIndex, text, startOffset, endOffset, terms }) => [chunkIndex, text, startOffset, endOffset, terms])

/** The table opened with Lance directly, without any protection. */
async function openRaw({ folder, memoryId }: DoctorFixture) {
  return (await connect(join(folder, '..'), { readConsistencyInterval: 0 })).openTable(memoryId)
}

const sourceOf = ({ memoryId }: DoctorFixture, id: string) => `memories/${memoryId}/documents/${id}/source`
const textOf = ({ memoryId }: DoctorFixture, id: string) => `memories/${memoryId}/documents/${id}/text`

test('a document without chunks is found and rebuilt from its text', async (t) => {
  const fixture = await openDoctor(t)
  const before = await readChunks(fixture, fixture.longId)
  await fixture.parts.memoryFile.deleteDocuments(fixture.memoryId, [fixture.longId])
  await assertFound(fixture, 'missing_chunks', fixture.longId)
  assert.deepEqual(placesOf(await readChunks(fixture, fixture.longId)), placesOf(before))
  assert.ok((await fixture.find('tide')).hits.some(({ documentId }) => documentId === fixture.longId))
})

test('a document is rebuilt with the sizes of its memory', async (t) => {
  const fixture = await openDoctor(t)
  const chunking = JSON.stringify({ maxCharacters: 300, overlap: 100 })
  await fixture.parts.db.updateTable('memories').set({ chunking }).execute()
  await fixture.parts.memoryFile.deleteDocuments(fixture.memoryId, [fixture.longId])
  await assertFound(fixture, 'missing_chunks', fixture.longId)
  const chunks = await readChunks(fixture, fixture.longId)
  assert.ok(chunks.every(({ text }) => text.length <= 300))
  assert.ok(chunks.some(({ startOffset }, at) => startOffset < (chunks[at - 1]?.endOffset ?? 0)))
})

test('a document with a chunk too many is found and made again', async (t) => {
  const fixture = await openDoctor(t)
  const [chunk] = await readChunks(fixture, fixture.shortId)
  assert.ok(chunk !== undefined)
  await fixture.parts.memoryFile.add(fixture.memoryId, [{ ...chunk, chunkIndex: 99 }])
  await assertFound(fixture, 'surplus_chunks', fixture.shortId)
})

test('a chunk that differs from its text is found and rebuilt', async (t) => {
  const fixture = await openDoctor(t)
  const chunks = await readChunks(fixture, fixture.longId)
  const [, chunk] = chunks
  assert.ok(chunk !== undefined)
  await fixture.parts.memoryFile.add(fixture.memoryId, [{ ...chunk, text: chunk.text.replace('tide', 'moon') }])
  await assertFound(fixture, 'wrong_chunks', fixture.longId)
  assert.deepEqual(placesOf(await readChunks(fixture, fixture.longId)), placesOf(chunks))
})

for (const [what, change] of [
  ['what is no number', () => Number.NaN],
  ['another length', (number: number) => number * 1.5],
] as const) {
  test(`a vector with ${what} is found and made again`, async (t) => {
    const fixture = await openDoctor(t)
    const [chunk] = await readChunks(fixture, fixture.shortId)
    assert.ok(chunk !== undefined)
    const table = await openRaw(fixture)
    const rows = await toChunkTable([{ ...chunk, vector: chunk.vector.map(change) }])
    await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
    await assertFound(fixture, 'wrong_vectors', fixture.shortId)
  })
}

test('a chunk with terms that differ from its text is found and rebuilt', async (t) => {
  const fixture = await openDoctor(t)
  const chunks = await readChunks(fixture, fixture.longId)
  const [, chunk] = chunks
  assert.ok(chunk !== undefined)
  await fixture.parts.memoryFile.add(fixture.memoryId, [{ ...chunk, terms: chunk.terms.replace('tide', 'moon') }])
  await assertFound(fixture, 'wrong_terms', fixture.longId)
  assert.deepEqual(placesOf(await readChunks(fixture, fixture.longId)), placesOf(chunks))
})

test('terms of an earlier version are found and made again, and chunks keep what their text does not show', async (t) => {
  const fixture = await openDoctor(t)
  const [chunk] = await readChunks(fixture, fixture.shortId)
  assert.ok(chunk !== undefined)
  const ofSheet = { ...chunk, section: 'Sheet 2', header: 'berth | length', page: 3, pageEnd: 3 }
  await fixture.parts.memoryFile.add(fixture.memoryId, [{ ...ofSheet, terms: 'harbor' }])
  await assertFound(fixture, 'wrong_terms', fixture.shortId)
  const [mended] = await readChunks(fixture, fixture.shortId)
  assert.deepEqual({ ...mended, terms: '' }, { ...ofSheet, terms: '' })
  assert.ok((await fixture.find('berth')).hits.some(({ documentId }) => documentId === fixture.shortId))
})

test('a document deleted while its terms are rebuilt leaves nothing', async (t) => {
  const fixture = await openDoctor(t)
  const chunks = await readChunks(fixture, fixture.longId)
  const memoryFile = {
    ...fixture.parts.memoryFile,
    async *scan() {
      await fixture.documents.delete(fixture.caller, fixture.memoryId, fixture.longId)
      yield chunks.map((chunk) => ({ ...chunk, terms: 'older' }))
    },
  }
  const { db, analyzer, removals, now } = fixture.parts
  await rebuildTerms({ db, analyzer, removals, now, memoryFile }, fixture.memoryId, fixture.longId)
  assert.deepEqual(await readChunks(fixture, fixture.longId), [])
  assert.deepEqual(await fixture.examine(), [])
})

test('a text that is cut, changed or gone is found and left, and a document cannot be made again from it', async (t) => {
  const fixture = await openDoctor(t)
  const { db, blobs, memoryFile } = fixture.parts
  await blobs.put(textOf(fixture, fixture.longId), Buffer.from(LONG.slice(0, -10)))
  await assertFound(fixture, 'wrong_text', fixture.longId)
  await blobs.put(textOf(fixture, fixture.longId), Buffer.from(LONG.replace('tide', 'moon')))
  await assertFound(fixture, 'wrong_text', fixture.longId)
  await blobs.purge(textOf(fixture, fixture.longId))
  await assertFound(fixture, 'missing_text', fixture.longId)
  await memoryFile.deleteDocuments(fixture.memoryId, [fixture.longId])
  const [missing] = (await fixture.examine()).filter(({ kind }) => kind === 'missing_chunks')
  assert.ok(missing !== undefined)
  assert.equal(await fixture.mend(missing), false)
  await blobs.put(textOf(fixture, fixture.longId), Buffer.from(LONG))
  assert.equal(await fixture.mend(missing), true)
  await db.deleteFrom('document_texts').where('document_id', '=', fixture.shortId).execute()
  await assertFound(fixture, 'missing_text', fixture.shortId)
})

test('an original that is cut, changed or gone is found and left', async (t) => {
  const fixture = await openDoctor(t)
  const { db, blobs } = fixture.parts
  await blobs.put(sourceOf(fixture, fixture.longId), Buffer.from('half'))
  await assertFound(fixture, 'wrong_original', fixture.longId)
  const changed = Buffer.from(LONG)
  changed[30_000] = (changed[30_000] ?? 0) ^ 1
  await blobs.put(sourceOf(fixture, fixture.longId), changed)
  await assertFound(fixture, 'wrong_original', fixture.longId)
  // For originals stored by an earlier version, only the size is known.
  await db.updateTable('documents').set({ original_hash: null }).where('id', '=', fixture.longId).execute()
  assert.deepEqual(await fixture.examine(), [])
  await blobs.purge(sourceOf(fixture, fixture.longId))
  await assertFound(fixture, 'missing_original', fixture.longId)
})

test('tags and fingerprints that are not whole are found and written again', async (t) => {
  const fixture = await openDoctor(t)
  const { db } = fixture.parts
  const tags = await db.selectFrom('document_tags').selectAll().execute()
  await db.deleteFrom('document_tags').where('tag', '=', 'sea').execute()
  await assertFound(fixture, 'wrong_tags', fixture.shortId)
  assert.deepEqual(await db.selectFrom('document_tags').selectAll().execute(), tags)
  const signatures = await db.selectFrom('signatures').selectAll().where('document_id', '=', fixture.longId).execute()
  assert.equal(signatures.length, 1)
  await db.deleteFrom('signatures').where('document_id', '=', fixture.longId).execute()
  await assertFound(fixture, 'wrong_fingerprint', fixture.longId)
  const { seq } = await db
    .selectFrom('documents')
    .select('seq')
    .where('id', '=', fixture.longId)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('signature_bands').where('document_seq', '=', seq).execute()
  await assertFound(fixture, 'wrong_fingerprint', fixture.longId)
  const again = await db.selectFrom('signatures').selectAll().where('document_id', '=', fixture.longId).execute()
  assert.deepEqual(again, signatures)
})

test('an index of words that is gone is found and made again', async (t) => {
  const fixture = await openDoctor(t)
  await (await openRaw(fixture)).dropIndex('terms_idx')
  await assertFound(fixture, 'missing_index', fixture.memoryId)
  assert.equal((await fixture.find('harbour', { mode: 'lexical' })).hits.length, 1)
})

test('an index that cannot be read is found and made again', async (t) => {
  const fixture = await openDoctor(t)
  await fixture.parts.memoryFile.maintain(fixture.memoryId)
  const folder = join(fixture.folder, '_indices')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const file of files) if (file.isFile()) await truncate(join(file.parentPath, file.name), 20)
  await assertFound(fixture, 'broken_index', fixture.memoryId)
  assert.equal((await fixture.find('harbour', { mode: 'lexical' })).hits.length, 1)
})

test('a memory file that is gone is found and made again from the texts', async (t) => {
  const fixture = await openDoctor(t)
  const before = await readChunks(fixture, fixture.longId)
  await rm(fixture.folder, { recursive: true })
  await assertFound(fixture, 'missing_memory_file', fixture.memoryId)
  assert.deepEqual(placesOf(await readChunks(fixture, fixture.longId)), placesOf(before))
  assert.equal((await fixture.find('harbour')).hits[0]?.documentId, fixture.shortId)
})

for (const [part, ending] of [
  ['data', '.lance'],
  ['_versions', '.manifest'],
] as const) {
  test(`a memory file with broken ${part} is found and made again from the texts`, async (t) => {
    const fixture = await openDoctor(t)
    const folder = join(fixture.folder, part)
    for (const name of await readdir(folder)) {
      if (!name.endsWith(ending)) continue
      const { length } = await readFile(join(folder, name))
      await writeFile(join(folder, name), Buffer.alloc(length, 'x'))
    }
    await assertFound(fixture, 'broken_memory_file', fixture.memoryId)
    assert.equal((await fixture.find('harbour')).hits[0]?.documentId, fixture.shortId)
  })
}

test('a memory file with broken data is left where a text is missing', async (t) => {
  const fixture = await openDoctor(t)
  await fixture.parts.blobs.purge(textOf(fixture, fixture.longId))
  await rm(join(fixture.folder, 'data'), { recursive: true })
  const found = await fixture.examine()
  const broken = found.find(({ kind }) => kind === 'broken_memory_file')
  assert.ok(broken !== undefined, JSON.stringify(found))
  assert.equal(await fixture.mend(broken), false)
})

test('a correction is made again as one', async (t) => {
  const fixture = await openDoctor(t)
  const { signal } = new AbortController()
  const corrections = createCorrectionsService(fixture.parts)
  const input = { statement: 'The harbour closes at nine.', topics: ['harbour', 'hours'], boost: 2 }
  const [made] = await corrections.add(fixture.caller, fixture.memoryId, { corrections: [input], signal })
  assert.ok(made !== undefined)
  assert.deepEqual(await fixture.examine(), [])
  await fixture.parts.memoryFile.deleteDocuments(fixture.memoryId, [made.id])
  await assertFound(fixture, 'missing_chunks', made.id)
  assert.equal((await fixture.find('harbour hours')).hits[0]?.kind, 'correction')
})

test('nothing is found wrong while documents come and go', async (t) => {
  const fixture = await openDoctor(t)
  const { parts, memoryId, caller, documents } = fixture
  let isOver = false
  const others = Array.from({ length: 3 }, async (_, worker) => {
    for (let i = 0; !isOver; i += 1) {
      const { documentIds } = await fixture.add({}, [
        textDocument(`Note ${worker} ${i} is short.`, { tags: ['t'], externalId: `e${worker}` }),
        textDocument(`${LONG} ${worker} ${i}`),
      ])
      const [, long = ''] = documentIds
      if (i % 2 === 0) await documents.delete(caller, memoryId, long)
    }
  })
  try {
    for (let round = 0; round < 8; round += 1) {
      const found: unknown[] = []
      await checkOneMemory(parts, memoryId, { note: (damage) => void found.push(damage) })
      assert.deepEqual(found, [])
    }
  } finally {
    isOver = true
    await Promise.all(others)
  }
  assert.deepEqual(await fixture.examine(), [])
})
