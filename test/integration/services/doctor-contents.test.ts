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
import { assertFound, type DoctorHouse, LONG, openDoctor } from './doctor-house.ts'
import { textDocument } from './ingest-house.ts'

/** The stored chunks of a document. */
async function readChunks({ parts, memoryId }: DoctorHouse, documentId: string): Promise<ChunkRow[]> {
  const all: ChunkRow[] = []
  for await (const batch of parts.memoryFile.scan(memoryId, { documentIds: [documentId] })) all.push(...batch)
  return all
}

/** Text and places, which a rebuild keeps. */
const placesOf = (chunks: readonly ChunkRow[]) =>
  chunks.map(({ chunkIndex, text, startOffset, endOffset, terms }) => [chunkIndex, text, startOffset, endOffset, terms])

/** The table opened with Lance directly, without any protection. */
async function openRaw({ folder, memoryId }: DoctorHouse) {
  return (await connect(join(folder, '..'), { readConsistencyInterval: 0 })).openTable(memoryId)
}

const sourceOf = ({ memoryId }: DoctorHouse, id: string) => `memories/${memoryId}/documents/${id}/source`
const textOf = ({ memoryId }: DoctorHouse, id: string) => `memories/${memoryId}/documents/${id}/text`

test('a document without chunks is found and rebuilt from its text', async (t) => {
  const house = await openDoctor(t)
  const before = await readChunks(house, house.longId)
  await house.parts.memoryFile.deleteDocuments(house.memoryId, [house.longId])
  await assertFound(house, 'missing_chunks', house.longId)
  assert.deepEqual(placesOf(await readChunks(house, house.longId)), placesOf(before))
  assert.ok((await house.find('tide')).hits.some(({ documentId }) => documentId === house.longId))
})

test('a document with a chunk too many is found and made again', async (t) => {
  const house = await openDoctor(t)
  const [chunk] = await readChunks(house, house.shortId)
  assert.ok(chunk !== undefined)
  await house.parts.memoryFile.add(house.memoryId, [{ ...chunk, chunkIndex: 99 }])
  await assertFound(house, 'surplus_chunks', house.shortId)
})

test('a chunk that differs from its text is found and rebuilt', async (t) => {
  const house = await openDoctor(t)
  const chunks = await readChunks(house, house.longId)
  const [, chunk] = chunks
  assert.ok(chunk !== undefined)
  await house.parts.memoryFile.add(house.memoryId, [{ ...chunk, text: chunk.text.replace('tide', 'moon') }])
  await assertFound(house, 'wrong_chunks', house.longId)
  assert.deepEqual(placesOf(await readChunks(house, house.longId)), placesOf(chunks))
})

for (const [what, change] of [
  ['what is no number', () => Number.NaN],
  ['another length', (number: number) => number * 1.5],
] as const) {
  test(`a vector with ${what} is found and made again`, async (t) => {
    const house = await openDoctor(t)
    const [chunk] = await readChunks(house, house.shortId)
    assert.ok(chunk !== undefined)
    const table = await openRaw(house)
    const rows = await toChunkTable([{ ...chunk, vector: chunk.vector.map(change) }])
    await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
    await assertFound(house, 'wrong_vectors', house.shortId)
  })
}

test('a chunk with terms that differ from its text is found and rebuilt', async (t) => {
  const house = await openDoctor(t)
  const chunks = await readChunks(house, house.longId)
  const [, chunk] = chunks
  assert.ok(chunk !== undefined)
  await house.parts.memoryFile.add(house.memoryId, [{ ...chunk, terms: chunk.terms.replace('tide', 'moon') }])
  await assertFound(house, 'wrong_terms', house.longId)
  assert.deepEqual(placesOf(await readChunks(house, house.longId)), placesOf(chunks))
})

test('terms of an earlier version are found and made again, and chunks keep what their text does not show', async (t) => {
  const house = await openDoctor(t)
  const [chunk] = await readChunks(house, house.shortId)
  assert.ok(chunk !== undefined)
  const ofSheet = { ...chunk, section: 'Sheet 2', header: 'berth | length', page: 3, pageEnd: 3 }
  await house.parts.memoryFile.add(house.memoryId, [{ ...ofSheet, terms: 'harbor' }])
  await assertFound(house, 'wrong_terms', house.shortId)
  const [mended] = await readChunks(house, house.shortId)
  assert.deepEqual({ ...mended, terms: '' }, { ...ofSheet, terms: '' })
  assert.ok((await house.find('berth')).hits.some(({ documentId }) => documentId === house.shortId))
})

test('a document deleted while its terms are rebuilt leaves nothing', async (t) => {
  const house = await openDoctor(t)
  const chunks = await readChunks(house, house.longId)
  const memoryFile = {
    ...house.parts.memoryFile,
    async *scan() {
      await house.documents.delete(house.caller, house.memoryId, house.longId)
      yield chunks.map((chunk) => ({ ...chunk, terms: 'older' }))
    },
  }
  const { db, analyzer, removals, now } = house.parts
  await rebuildTerms({ db, analyzer, removals, now, memoryFile }, house.memoryId, house.longId)
  assert.deepEqual(await readChunks(house, house.longId), [])
  assert.deepEqual(await house.examine(), [])
})

test('a text that is cut, changed or gone is found and left, and a document cannot be made again from it', async (t) => {
  const house = await openDoctor(t)
  const { db, blobs, memoryFile } = house.parts
  await blobs.put(textOf(house, house.longId), Buffer.from(LONG.slice(0, -10)))
  await assertFound(house, 'wrong_text', house.longId)
  await blobs.put(textOf(house, house.longId), Buffer.from(LONG.replace('tide', 'moon')))
  await assertFound(house, 'wrong_text', house.longId)
  await blobs.purge(textOf(house, house.longId))
  await assertFound(house, 'missing_text', house.longId)
  await memoryFile.deleteDocuments(house.memoryId, [house.longId])
  const [missing] = (await house.examine()).filter(({ kind }) => kind === 'missing_chunks')
  assert.ok(missing !== undefined)
  assert.equal(await house.mend(missing), false)
  await blobs.put(textOf(house, house.longId), Buffer.from(LONG))
  assert.equal(await house.mend(missing), true)
  await db.deleteFrom('document_texts').where('document_id', '=', house.shortId).execute()
  await assertFound(house, 'missing_text', house.shortId)
})

test('an original that is cut, changed or gone is found and left', async (t) => {
  const house = await openDoctor(t)
  const { db, blobs } = house.parts
  await blobs.put(sourceOf(house, house.longId), Buffer.from('half'))
  await assertFound(house, 'wrong_original', house.longId)
  const changed = Buffer.from(LONG)
  changed[30_000] = (changed[30_000] ?? 0) ^ 1
  await blobs.put(sourceOf(house, house.longId), changed)
  await assertFound(house, 'wrong_original', house.longId)
  // For originals stored by an earlier version, only the size is known.
  await db.updateTable('documents').set({ original_hash: null }).where('id', '=', house.longId).execute()
  assert.deepEqual(await house.examine(), [])
  await blobs.purge(sourceOf(house, house.longId))
  await assertFound(house, 'missing_original', house.longId)
})

test('tags and fingerprints that are not whole are found and written again', async (t) => {
  const house = await openDoctor(t)
  const { db } = house.parts
  const tags = await db.selectFrom('document_tags').selectAll().execute()
  await db.deleteFrom('document_tags').where('tag', '=', 'sea').execute()
  await assertFound(house, 'wrong_tags', house.shortId)
  assert.deepEqual(await db.selectFrom('document_tags').selectAll().execute(), tags)
  const signatures = await db.selectFrom('signatures').selectAll().where('document_id', '=', house.longId).execute()
  assert.equal(signatures.length, 1)
  await db.deleteFrom('signatures').where('document_id', '=', house.longId).execute()
  await assertFound(house, 'wrong_fingerprint', house.longId)
  const { seq } = await db
    .selectFrom('documents')
    .select('seq')
    .where('id', '=', house.longId)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('signature_bands').where('document_seq', '=', seq).execute()
  await assertFound(house, 'wrong_fingerprint', house.longId)
  const again = await db.selectFrom('signatures').selectAll().where('document_id', '=', house.longId).execute()
  assert.deepEqual(again, signatures)
})

test('an index of words that is gone is found and made again', async (t) => {
  const house = await openDoctor(t)
  await (await openRaw(house)).dropIndex('terms_idx')
  await assertFound(house, 'missing_index', house.memoryId)
  assert.equal((await house.find('harbour', { mode: 'lexical' })).hits.length, 1)
})

test('an index that cannot be read is found and made again', async (t) => {
  const house = await openDoctor(t)
  await house.parts.memoryFile.maintain(house.memoryId)
  const folder = join(house.folder, '_indices')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const file of files) if (file.isFile()) await truncate(join(file.parentPath, file.name), 20)
  await assertFound(house, 'broken_index', house.memoryId)
  assert.equal((await house.find('harbour', { mode: 'lexical' })).hits.length, 1)
})

test('a memory file that is gone is found and made again from the texts', async (t) => {
  const house = await openDoctor(t)
  const before = await readChunks(house, house.longId)
  await rm(house.folder, { recursive: true })
  await assertFound(house, 'missing_memory_file', house.memoryId)
  assert.deepEqual(placesOf(await readChunks(house, house.longId)), placesOf(before))
  assert.equal((await house.find('harbour')).hits[0]?.documentId, house.shortId)
})

for (const [part, ending] of [
  ['data', '.lance'],
  ['_versions', '.manifest'],
] as const) {
  test(`a memory file with broken ${part} is found and made again from the texts`, async (t) => {
    const house = await openDoctor(t)
    const folder = join(house.folder, part)
    for (const name of await readdir(folder)) {
      if (!name.endsWith(ending)) continue
      const { length } = await readFile(join(folder, name))
      await writeFile(join(folder, name), Buffer.alloc(length, 'x'))
    }
    await assertFound(house, 'broken_memory_file', house.memoryId)
    assert.equal((await house.find('harbour')).hits[0]?.documentId, house.shortId)
  })
}

test('a memory file with broken data is left where a text is missing', async (t) => {
  const house = await openDoctor(t)
  await house.parts.blobs.purge(textOf(house, house.longId))
  await rm(join(house.folder, 'data'), { recursive: true })
  const found = await house.examine()
  const broken = found.find(({ kind }) => kind === 'broken_memory_file')
  assert.ok(broken !== undefined, JSON.stringify(found))
  assert.equal(await house.mend(broken), false)
})

test('a correction is made again as one', async (t) => {
  const house = await openDoctor(t)
  const { signal } = new AbortController()
  const corrections = createCorrectionsService(house.parts)
  const input = { statement: 'The harbour closes at nine.', topics: ['harbour', 'hours'], boost: 2 }
  const [made] = await corrections.add(house.caller, house.memoryId, { corrections: [input], signal })
  assert.ok(made !== undefined)
  assert.deepEqual(await house.examine(), [])
  await house.parts.memoryFile.deleteDocuments(house.memoryId, [made.id])
  await assertFound(house, 'missing_chunks', made.id)
  assert.equal((await house.find('harbour hours')).hits[0]?.kind, 'correction')
})

test('nothing is found wrong while documents come and go', async (t) => {
  const house = await openDoctor(t)
  const { parts, memoryId, caller, documents } = house
  let isOver = false
  const others = Array.from({ length: 3 }, async (_, worker) => {
    for (let i = 0; !isOver; i += 1) {
      const { documentIds } = await house.add({}, [
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
  assert.deepEqual(await house.examine(), [])
})
