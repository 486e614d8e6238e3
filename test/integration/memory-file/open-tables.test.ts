import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '@lancedb/lancedb'
import { newId } from '../../../src/ids.ts'
import { toChunkTable } from '../../../src/memory-file/chunk-table.ts'
import { createOpenTables } from '../../../src/memory-file/open-tables.ts'
import { chunk, SILENT } from './memory-file-fixture.ts'

/** Open tables of a fresh folder, and a way to write one chunk by a handle. */
async function openFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'open-tables-'))
  const connection = await connect(folder)
  const tables = createOpenTables({
    connection,
    folder,
    createEmpty: (by, name, schema) => by.createEmptyTable(name, schema),
    maxOpenTables: 2,
    log: SILENT,
  })
  t.after(async () => {
    tables.close()
    connection.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const memory = newId('mem')
  const rows = await toChunkTable([chunk({})])
  await tables.useOrCreate(memory, rows.schema, (table) => table.add(rows))
  const count = () => tables.use(memory, (table) => table.countRows())
  return { tables, memory, rows, count }
}

test('a write through an evicted handle is visible to the next one after its acknowledgement', async (t) => {
  const { tables, memory, rows, count } = await openFolder(t)
  const meanwhile = Promise.withResolvers<void>()
  const written = tables.use(memory, async (table) => {
    await meanwhile.promise
    await table.add(rows)
  })
  tables.forget(memory)
  assert.equal(await count(), 1)
  meanwhile.resolve()
  await written
  assert.equal(await count(), 2)
})

test('a table removed before its refresh fails only its own callers', async (t) => {
  const { tables, memory, count } = await openFolder(t)
  const meanwhile = Promise.withResolvers<void>()
  const reading = tables.use(memory, () => meanwhile.promise)
  tables.forget(memory)
  assert.equal(await count(), 1)
  await tables.drop(memory, async () => undefined)
  meanwhile.resolve()
  await reading
  assert.equal(await count(), 1)
})

test('waiting for readers covers earlier ones, not later ones, and is limited', async (t) => {
  const { memory, tables } = await openFolder(t)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const reading = tables.use(memory, async (table) => {
    await ended
    return table.countRows()
  })
  await tables.forgetAndDrain(memory, 50)
  let isOutlived = false
  const outliving = tables.forgetAndDrain(memory, 60_000).then(() => {
    isOutlived = true
  })
  assert.equal(await tables.use(memory, (table) => table.countRows()), 1)
  assert.ok(!isOutlived, 'somebody reads still')
  end()
  await outliving
  assert.equal(await reading, 1)
})
