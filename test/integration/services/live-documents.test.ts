import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { changeDocument } from '../../../src/database/memories/document-changes.ts'
import { deleteDocumentRows, listDocumentsById } from '../../../src/database/memories/documents-table.ts'
import { createLiveDocuments } from '../../../src/database/memories/live-documents.ts'
import { requireMemory } from '../../../src/database/memories/memories-table.ts'
import type { Tables } from '../../../src/database/schema.ts'
import { createMemoryRow } from '../../../src/services/memories/memories-service.ts'
import { addDocument, openFixture } from './fixtures.ts'

/** Documents read of a memory as by searches; the database is changed behind them. */
async function openDocuments(t: Parameters<typeof openFixture>[0]) {
  const { db, caller, now } = await openFixture(t)
  const input = { name: 'Rates', description: null, projectId: null, projectName: null }
  const { id: memoryId } = await db.transaction().execute((one) => createMemoryRow(one, caller, { input, now: now() }))
  const ids: string[] = []
  for (const title of ['Tides', 'Ferries', 'Locks'])
    ids.push(await addDocument(db, caller, memoryId, { title, ...(title === 'Locks' ? { status: 'pending' } : {}) }))
  let reads = 0
  const counting = new Proxy(db, {
    get(target, name) {
      if (name === 'selectFrom') reads += 1
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as Kysely<Tables>
  const documents = createLiveDocuments(counting)
  const findAt = async (memory: { id: string; revision: number }) => {
    const found = await documents.find(memory, ids)
    return ids.map((id) => found.get(id)?.title ?? null)
  }
  const openMemory = () => requireMemory(db, caller, memoryId)
  return { db, ids, now, openMemory, findAt, find: async () => findAt(await openMemory()), reads: () => reads }
}

test('visible documents are read once, and invisible ones every time', async (t) => {
  const { find, findAt, openMemory, reads } = await openDocuments(t)
  const memory = await openMemory()
  assert.deepEqual(await findAt(memory), ['Tides', 'Ferries', null])
  assert.equal(reads(), 1)
  assert.deepEqual(await find(), ['Tides', 'Ferries', null])
  assert.equal(reads(), 2)
})

test('the next search sees a changed, hidden, shown or deleted document of another process', async (t) => {
  const { db, ids, now, find } = await openDocuments(t)
  const [tides = '', ferries = ''] = ids
  const at = now().toISOString()
  const change = async (id: string, columns: { title?: string; enabled?: number }) => {
    const [row] = await listDocumentsById(db, (await memoryOf(db, id)) ?? '', [id])
    if (row !== undefined) await db.transaction().execute((one) => changeDocument(one, row, { ...columns, at }))
  }
  assert.deepEqual(await find(), ['Tides', 'Ferries', null])
  await change(tides, { title: 'Spring tides' })
  assert.deepEqual(await find(), ['Spring tides', 'Ferries', null])
  await change(tides, { enabled: 0 })
  assert.deepEqual(await find(), [null, 'Ferries', null])
  await change(tides, { enabled: 1 })
  assert.deepEqual(await find(), ['Spring tides', 'Ferries', null])
  const rows = await listDocumentsById(db, (await memoryOf(db, ferries)) ?? '', [ferries])
  await db.transaction().execute((one) => deleteDocumentRows(one, rows, now()))
  assert.deepEqual(await find(), ['Spring tides', null, null])
})

test('a search that began before a change leaves nothing to later ones', async (t) => {
  const { db, ids, now, openMemory, findAt, find } = await openDocuments(t)
  const before = await openMemory()
  const [row] = await listDocumentsById(db, before.id, [ids[0] ?? ''])
  assert.ok(row !== undefined)
  assert.deepEqual(await findAt(before), ['Tides', 'Ferries', null])
  await db.transaction().execute((one) => changeDocument(one, row, { title: 'Neap', at: now().toISOString() }))
  assert.deepEqual(await find(), ['Neap', 'Ferries', null])
  assert.deepEqual(await findAt(before), ['Neap', 'Ferries', null])
  assert.deepEqual(await find(), ['Neap', 'Ferries', null])
})

async function memoryOf(db: Kysely<Tables>, id: string): Promise<string | undefined> {
  return (await db.selectFrom('documents').select('memory_id').where('id', '=', id).executeTakeFirst())?.memory_id
}
