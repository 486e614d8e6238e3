import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openIntents } from '../../../src/database/deletion/intents-table.ts'
import { filterOrphanedDocuments } from '../../../src/database/memories/inventory.ts'
import { newId } from '../../../src/ids.ts'
import { createOrphanSweep } from '../../../src/services/deletion/sweep-orphans.ts'
import { openIngestFixture, textDocument } from './ingest-fixture.ts'

/** A fixture with a document in its memory, and a sweep after its first call. */
async function openForgottenFixture(t: TestContext) {
  const fixture = await openIngestFixture(t)
  const { parts, memory, add } = fixture
  const [kept = ''] = (await add({}, [textDocument('The lift is serviced on Tuesdays.')])).documentIds
  const warned: unknown[] = []
  const log = { warn: (facts: unknown) => void warned.push(facts) }
  const sweep = createOrphanSweep({ ...parts, checkDatabase: () => fixture.store.check('whole'), log })
  await sweep()

  /** Copies the document's chunks and object under another id. */
  async function plant(documentId: string): Promise<string> {
    for await (const chunks of parts.memoryFile.scan(memory.id, { documentIds: [kept] }))
      await parts.memoryFile.add(
        memory.id,
        chunks.map((chunk) => ({ ...chunk, documentId })),
      )
    await parts.blobs.put(`memories/${memory.id}/documents/${documentId}/text`, Buffer.from('as above'))
    return documentId
  }

  async function left() {
    const objects = await parts.blobs.list(`memories/${memory.id}/`)
    return {
      chunks: [...(await parts.memoryFile.count(memory.id)).keys()].sort(),
      objects: objects.map((key) => key.split('/')[3]).sort(),
    }
  }
  return { ...fixture, kept, warned, sweep, plant, left }
}

test('chunks and objects that no row names are removed by the sweep, and said in the log', async (t) => {
  const { parts, memory, kept, warned, sweep, plant, left } = await openForgottenFixture(t)
  const forgotten = await plant(newId('doc'))
  assert.deepEqual((await left()).chunks, [kept, forgotten].sort())
  await sweep()
  assert.deepEqual(await left(), { chunks: [kept], objects: [] })
  assert.deepEqual(warned, [{ memoryId: memory.id, documents: 1 }])
  assert.equal((await parts.db.selectFrom('erasures').selectAll().execute()).length, 1, 'the bytes go, too')
})

test('running adds and waiting removals are kept', async (t) => {
  const { parts, memory, kept, warned, sweep, plant, left } = await openForgottenFixture(t)
  const { db, owner } = parts
  const adding = newId('doc')
  await openIntents(db, { memoryId: memory.id, documentIds: [adding], owner, at: parts.now().toISOString() })
  await plant(adding)
  await sweep()
  assert.deepEqual(await left(), { chunks: [kept, adding].sort(), objects: [adding] })
  assert.deepEqual(warned, [])
})

test('each memory is compared once a day, and one that cannot be read keeps no other from its turn', async (t) => {
  const { parts, memories, caller, memory } = await openForgottenFixture(t)
  const input = { name: 'another', description: null, projectId: null, projectName: null }
  const other = await memories.create(caller, input)
  const compared: string[] = []
  const sweep = createOrphanSweep({
    ...parts,
    checkDatabase: () => Promise.reject(new Error('nothing was found')),
    memoryFile: {
      async count(memoryId) {
        compared.push(memoryId)
        if (memoryId === memory.id) throw new Error('damaged')
        return parts.memoryFile.count(memoryId)
      },
    },
  })
  for (let round = 0; round < 3; round += 1) await sweep()
  assert.deepEqual(compared, [memory.id, other.id].sort())
})

/** Changes the last letter of a text after the first page of an index. */
async function changeInIndex(place: string, name: string, text: string): Promise<void> {
  const database = new DatabaseSync(place)
  database.exec('pragma wal_checkpoint(truncate)')
  const { rootpage } = database.prepare('select rootpage from sqlite_schema where name = ?').get(name) ?? {}
  const { page_size: pageBytes } = database.prepare('pragma page_size').get() ?? {}
  database.close()
  const page = Buffer.alloc(Number(pageBytes))
  await using file = await open(place, 'r+')
  const start = (Number(rootpage) - 1) * page.length
  await file.read(page, 0, page.length, start)
  const at = page.indexOf(text) + text.length - 1
  assert.ok(at >= text.length)
  await file.write(Buffer.from(page[at] === 0x30 ? '1' : '0'), 0, 1, start + at)
}

/** The index on the document identifier. */
const BY_ID = 'sqlite_autoindex_documents_1'

test('chunks of a document that a damaged index does not find stay', async (t) => {
  const fixture = await openForgottenFixture(t)
  const { parts, store, memory, kept, warned, sweep, left } = fixture
  const [other = ''] = (await fixture.add({}, [textDocument('The stairs are swept on Mondays.')])).documentIds
  await changeInIndex(store.place, BY_ID, other)
  // An earlier connection may have cached the page.
  await sql`pragma shrink_memory`.execute(parts.db)
  assert.deepEqual(await filterOrphanedDocuments(parts.db, [other]), [other])
  assert.deepEqual((await store.check('quick')).problems, [])
  await sweep()
  assert.deepEqual((await left()).chunks, [kept, other].sort())
  assert.deepEqual(warned, [{ memoryId: memory.id, documents: 1 }])
})

test('while a row is not as it was written nothing is removed', async (t) => {
  const { parts, memory, kept, warned, sweep, plant, left } = await openForgottenFixture(t)
  const forgotten = await plant(newId('doc'))
  await sql`drop trigger documents_updated`.execute(parts.db)
  await sql`update documents set title = 'other'`.execute(parts.db)
  await sweep()
  assert.deepEqual((await left()).chunks, [kept, forgotten].sort())
  assert.deepEqual(warned, [{ memoryId: memory.id, documents: 1 }])
})

test('documents without a row are kept when they outnumber those with one, as beside an older database', async (t) => {
  const { memory, kept, warned, sweep, plant, left } = await openForgottenFixture(t)
  const forgotten = [await plant(newId('doc')), await plant(newId('doc'))]
  await sweep()
  assert.deepEqual((await left()).chunks, [kept, ...forgotten].sort())
  assert.deepEqual(warned, [{ memoryId: memory.id, documents: 2 }])
})
