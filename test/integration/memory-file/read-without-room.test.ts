import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Connection, connect } from '@lancedb/lancedb'
import { newId } from '../../../src/ids.ts'
import { chunkSchema, toChunkTable } from '../../../src/memory-file/chunk-table.ts'
import { createOpenTables } from '../../../src/memory-file/open-tables.ts'
import { chunk, DIMENSIONS, SILENT } from './memory-file-fixture.ts'

const FULL = 'lance error: No space left on device (os error 28)'

/**
 * A table without its index, as left by an add on a full disk, and opened tables whose index also
 * finds no space.
 */
async function leaveTable(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'memory-file-'))
  const connection = await connect(folder)
  const tables = createOpenTables({
    connection: withoutRoom(connection),
    folder,
    createEmpty: () => Promise.reject(new Error(FULL)),
    maxOpenTables: 8,
    log: SILENT,
  })
  t.after(async () => {
    tables.close()
    connection.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const memoryId = newId('mem')
  const table = await connection.createEmptyTable(memoryId, chunkSchema(DIMENSIONS))
  return { memoryId, tables, table }
}

function withoutRoom(connection: Connection): Connection {
  const createIndex = { value: () => Promise.reject(new Error(FULL)) }
  return Object.create(connection, {
    openTable: { value: async (name: string) => Object.create(await connection.openTable(name), { createIndex }) },
  }) as Connection
}

test('a table left empty by an add without space reads as empty, and an add reports the lack of space', async (t) => {
  const { memoryId, tables } = await leaveTable(t)
  const schema = chunkSchema(DIMENSIONS)
  for (let times = 0; times < 2; times += 1) {
    assert.equal(await tables.use(memoryId, (table) => table.countRows()), null)
    await assert.rejects(
      tables.useOrCreate(memoryId, schema, (table) => table.countRows()),
      { message: FULL },
    )
  }
})

test('a read beside an add that finds no room for a first table finds nothing', async (t) => {
  const { tables } = await leaveTable(t)
  const memoryId = newId('mem')
  const adding = tables.useOrCreate(memoryId, chunkSchema(DIMENSIONS), (table) => table.countRows())
  const reading = tables.use(memoryId, (table) => table.countRows())
  await assert.rejects(adding, { message: FULL })
  assert.equal(await reading, null)
})

test('a table that holds chunks and cannot be opened is never read as nothing', async (t) => {
  const { memoryId, tables, table } = await leaveTable(t)
  await table.add(await toChunkTable([chunk({})]))
  await assert.rejects(
    tables.use(memoryId, (opened) => opened.countRows()),
    { message: FULL },
  )
})
