import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { requireMemory } from '../../../src/database/memories/memories-table.ts'
import type { Tables } from '../../../src/database/schema.ts'
import { createDocumentFilters } from '../../../src/services/filters/document-filters.ts'
import { readFilter } from '../../../src/services/filters/read-filter.ts'
import { createMemoryRow } from '../../../src/services/memories/memories-service.ts'
import { addDocument, openFixture } from './fixtures.ts'

/** More than one statement reads. */
const DOCUMENTS = 1001

test('a filter finds all documents after a failure in the middle of reading them', async (t) => {
  const { db, caller, now } = await openFixture(t)
  const input = { name: 'Rates', description: null, projectId: null, projectName: null }
  const { id } = await db.transaction().execute((one) => createMemoryRow(one, caller, { input, now: now() }))
  await db.transaction().execute(async (transaction) => {
    // Nested transactions are refused, and one for each document is slow.
    const within = Object.assign(Object.create(transaction), {
      transaction: () => ({ execute: (work: (one: typeof transaction) => Promise<unknown>) => work(transaction) }),
    }) as Kysely<Tables>
    for (let count = 0; count < DOCUMENTS; count += 1) await addDocument(within, caller, id, { tags: '["rates"]' })
  })
  const memory = await requireMemory(db, caller, id)
  // As documents of one add, and as all documents after the migration that brought revisions.
  await db.updateTable('documents').set({ revision: memory.revision }).execute()
  const filter = readFilter({ tags: ['rates'] })
  assert.ok(filter !== null)
  let reads = 0
  const failing = new Proxy(db, {
    get(target, name) {
      if (name === 'selectFrom' && ++reads === 2) throw new Error('the connection is lost')
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const filters = createDocumentFilters(failing)
  await assert.rejects(filters.select(memory, filter), /the connection is lost/)
  assert.equal((await filters.select(memory, filter)).size, DOCUMENTS)
})
