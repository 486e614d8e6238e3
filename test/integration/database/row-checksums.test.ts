import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import {
  acceptRow,
  CHECKED_COLUMNS,
  checksumOf,
  isMemoryRowWrong,
  listWrongDocuments,
  listWrongRows,
} from '../../../src/database/row-checksums.ts'
import type { Tables } from '../../../src/database/schema.ts'
import { ON_POSTGRES, temporaryStore } from './temporary-store.ts'

type Db = Kysely<Tables>

/** Columns that change often or are recounted from other rows. */
const UNCHECKED: Readonly<Record<string, readonly string[]>> = {
  keys: ['last_used_at'],
  memories: ['document_count', 'chunk_count', 'correction_count', 'storage_bytes', 'revision'],
  documents: ['revision'],
}

/** A value of every kind of column: text with marks beyond ASCII, a number, a fraction, null. */
const DOCUMENT = {
  ...{ id: 'doc_1', organization_id: 'org_1', memory_id: 'mem_1', external_id: 'åé-1', title: 'Ebb & “flow” 潮' },
  ...{ mime_type: 'text/plain', source_type: 'correction', tags: '["sea"]', metadata: '{"depth":3}', status: 'ready' },
  ...{ size_bytes: 5_000_000_000, storage_bytes: 7, ocr_pages: 0, chunk_count: 1, character_count: 12, boost: 1.25 },
  ...{ has_source: 0, pages: '[]', statement: '', created_at: '2026-01-01', updated_at: '2026-01-01' },
} as const
const MEMORY = {
  ...{ id: 'mem_1', organization_id: 'org_1', name: 'Tides', document_count: 1, chunk_count: 1, correction_count: 0 },
  ...{ storage_bytes: 7, created_at: '2026-01-01', updated_at: '2026-01-01' },
} as const

async function fill(db: Db): Promise<void> {
  await db.insertInto('organizations').values({ id: 'org_1', name: 'o', plan: 'free', created_at: '' }).execute()
  await db
    .insertInto('memories')
    .values(MEMORY as never)
    .execute()
  await db
    .insertInto('documents')
    .values(DOCUMENT as never)
    .execute()
}

async function wrongOf(db: Db): Promise<string[]> {
  const found: string[] = []
  for await (const { table, id } of listWrongRows(db)) found.push(`${table} ${id}`)
  return found
}

/** Changes a row without its checksum, which no statement of the service can do. */
async function damage(db: Db, table: string, change: string): Promise<void> {
  const off = ON_POSTGRES ? `alter table ${table} disable trigger all` : `drop trigger ${table}_updated`
  const { rows } = ON_POSTGRES
    ? { rows: [] }
    : await sql<{ text: string }>`select sql as text from sqlite_schema where name = ${`${table}_updated`}`.execute(db)
  await sql.raw(off).execute(db)
  await sql.raw(`update ${table} set ${change}`).execute(db)
  await sql.raw(ON_POSTGRES ? `alter table ${table} enable trigger all` : (rows[0]?.text ?? '')).execute(db)
}

test('every visible column of a checked table is part of its checksum', async (t) => {
  const { db } = await temporaryStore(t)
  for (const [table, checked] of Object.entries(CHECKED_COLUMNS)) {
    const columns = (await db.introspection.getTables()).find(({ name }) => name === table)?.columns ?? []
    const expected = columns
      .map(({ name }) => name)
      .filter((name) => name !== 'checksum' && !UNCHECKED[table]?.includes(name))
    assert.deepEqual([...checked].sort(), expected.sort(), table)
  }
})

test('every statement that writes a row keeps its checksum valid', async (t) => {
  const { db } = await temporaryStore(t)
  await fill(db)
  assert.deepEqual(await wrongOf(db), [])
  await db.updateTable('documents').set({ status: 'partial', error: 'two pages', boost: null }).execute()
  await db.updateTable('memories').set({ document_count: 3, updated_at: '2026-02-02' }).execute()
  await db
    .insertInto('memories')
    .values({ ...MEMORY, description: 'again' } as never)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ description: 'again' }))
    .execute()
  assert.deepEqual(await wrongOf(db), [])
  assert.equal(await isMemoryRowWrong(db, 'mem_1'), false)
})

const CHANGES = [
  ["title = 'Ebb & “glow” 潮'", 'title'],
  ["external_id = 'åé-2'", 'external_id'],
  ['external_id = null', 'null for a value'],
  ["filename = ''", 'a value for null'],
  [`metadata = '{"depth":2}'`, 'metadata'],
  ["status = 'partial'", 'status'],
  ["memory_id = 'mem_2'", 'memory_id'],
  ["id = 'doc_2'", 'id'],
  ['size_bytes = 5000000001', 'a large number'],
  ['boost = 1.5', 'a fraction'],
] as const

for (const [change, what] of CHANGES) {
  test(`a document with ${what} changed on disk is detected, also after later writes`, async (t) => {
    const { db } = await temporaryStore(t)
    await fill(db)
    await damage(db, 'documents', change)
    assert.equal((await wrongOf(db)).length, 1)
    await db.updateTable('documents').set({ updated_at: '2026-03-03' }).execute()
    const [row] = await db.selectFrom('documents').select(['id', 'seq']).execute()
    assert.deepEqual(await listWrongDocuments(db, [Number(row?.seq), 0]), new Set([row?.id]))
  })
}

test('only an accepted damaged row gets a new checksum', async (t) => {
  const { db } = await temporaryStore(t)
  await fill(db)
  await damage(db, 'memories', "name = 'Tidez'")
  await damage(db, 'documents', "title = 'Ebb'")
  await acceptRow(db, { table: 'documents', id: 'doc_1' })
  assert.deepEqual(await wrongOf(db), ['memories mem_1'])
  await acceptRow(db, { table: 'memories', id: 'mem_1' })
  assert.deepEqual(await wrongOf(db), [])
  await db.updateTable('documents').set({ title: 'Flow' }).execute()
  assert.deepEqual(await wrongOf(db), [])
  assert.equal((await db.selectFrom('memories').select('name').executeTakeFirstOrThrow()).name, 'Tidez')
})

test('a damaged row is whole again when the right value is written', async (t) => {
  const { db } = await temporaryStore(t)
  await fill(db)
  await damage(db, 'memories', "name = 'Tidez'")
  assert.equal(await isMemoryRowWrong(db, 'mem_1'), true)
  await db.updateTable('memories').set({ name: 'Tides' }).execute()
  assert.deepEqual(await wrongOf(db), [])
})

test('both databases make the same checksum of a row', async (t) => {
  const store = await temporaryStore(t)
  await fill(store.db)
  for (const [boost] of FRACTIONS) {
    await store.db.updateTable('documents').set({ boost }).execute()
    const { rows } = await sql<Record<string, string | number | null>>`select * from documents`.execute(store.db)
    const { checksum, ...row } = rows[0] ?? {}
    const values = CHECKED_COLUMNS.documents.map((column) => row[column] ?? null)
    assert.equal(checksum, checksumOf(values), String(boost))
  }
})

/** PostgreSQL 15's output for these numbers. */
const FRACTIONS = [
  [1.25, '1.25'],
  [10, '10'],
  [0.0001, '0.0001'],
  [0.00005, '5e-05'],
  [0.000012345, '1.2345e-05'],
  [1e-7, '1e-07'],
  [1e-100, '1e-100'],
  [5e-324, '5e-324'],
] as const

test('a fraction is part of the checksum as PostgreSQL writes it', () => {
  for (const [value, text] of FRACTIONS) assert.equal(checksumOf([value]), checksumOf([text]), text)
  for (const [value, text] of [
    [1e15, '1e+15'],
    [123456789012345, '123456789012345'],
  ] as const)
    assert.equal(checksumOf([value]), checksumOf([text]), text)
})
