import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { firstMigration } from '../../../src/database/first-migration.ts'
import { migrate } from '../../../src/database/migrations.ts'
import { listWrongDocuments } from '../../../src/database/row-checksums.ts'
import type { Tables } from '../../../src/database/schema.ts'
import { isUniqueViolation } from '../../../src/database/store-errors.ts'
import { makePlace, ON_POSTGRES, openPlace, temporaryStore } from './temporary-store.ts'

/** The schema of the database, in a stable form. */
async function describe(db: Kysely<Tables>): Promise<string[]> {
  const query = ON_POSTGRES
    ? sql<{ text: string }>`
        select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as text
          from information_schema.columns where table_schema = current_schema()
        union all select replace(indexdef, current_schema() || '.', '') from pg_indexes where schemaname = current_schema() order by 1`
    : sql<{ text: string }>`select coalesce(sql, name) as text from sqlite_schema order by 1`
  const { rows } = await query.execute(db)
  return rows.map(({ text }) => text)
}

type DocumentRow = { id: string; memory?: string; externalId?: string; status?: string; checksum?: string }

function insertDocument(db: Kysely<Tables>, { id, memory = 'm', externalId, status = 'ready', checksum }: DocumentRow) {
  return sql`insert into documents (id, organization_id, memory_id, external_id, title, mime_type, source_type, tags,
    metadata, status, size_bytes, storage_bytes, ocr_pages, chunk_count, character_count, has_source, pages, created_at,
    updated_at, checksum) values (${id}, 'o', ${memory}, ${externalId ?? null}, 't', 'text/plain', 'text', '[]', '{}', ${status}, 0, 0, 0,
    0, 0, 0, '[]', '', '', ${checksum ?? null})`.execute(db)
}

test('migrating again, also from concurrent processes, changes nothing', async (t) => {
  const store = await temporaryStore(t)
  const { db, place } = store
  const before = await describe(db)
  assert.ok(before.length > 30)
  const second = await openPlace(place)
  await Promise.all([migrate(store), migrate(second), migrate(store)])
  await second.close()
  assert.deepEqual(await describe(db), before)
})

test('ten processes that start on an empty database create its tables once', async (t) => {
  const { place, remove } = await makePlace()
  const stores = await Promise.all(Array.from({ length: 10 }, () => openPlace(place)))
  t.after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await remove()
  })
  await Promise.all(stores.map((store) => migrate(store)))
  const [first] = stores
  assert.ok(first)
  const { rows } = await sql`select name from migrations`.execute(first.db)
  assert.equal(new Set(rows.map((row) => JSON.stringify(row))).size, rows.length)
  assert.ok(rows.length >= 1)
})

test('a step that databases have taken is never changed', () => {
  // For released steps: until the first release, the first step is the schema and changes with it.
  const statements = (['sqlite', 'postgres'] as const).flatMap((dialect) => firstMigration.statements(dialect))
  const hash = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16)
  assert.equal(hash, 'ca27e50520cbb7b3')
})

test('a database of an unreleased version is refused unchanged, with what to do', async (t) => {
  const { place, remove } = await makePlace()
  const store = await openPlace(place)
  t.after(async () => {
    await store.close()
    await remove()
  })
  await sql`create table migrations (name text not null primary key, applied_at text not null)`.execute(store.db)
  await sql`insert into migrations values ('0001-first-tables', ''), ('0002-nodes', '')`.execute(store.db)
  await sql`create table organizations (id text)`.execute(store.db)
  const before = await describe(store.db)
  const refusal = ON_POSTGRES
    ? /unreleased version .*recollect export\), then set RECOLLECT_DATABASE_URL to an empty database and .*recollect import/
    : /unreleased version .*recollect export\), then set RECOLLECT_DATA_DIR to a new folder, .*recollect import/
  await assert.rejects(migrate(store), refusal)
  assert.deepEqual(await describe(store.db), before)
})

test('a database of a newer version is refused, and left as it is', async (t) => {
  const store = await temporaryStore(t)
  const { db } = store
  await sql`insert into migrations (name, applied_at) values ('9999-from-the-future', '')`.execute(db)
  await assert.rejects(migrate(store), /newer version of Recollect \(9999-from-the-future\)/)
})

test('a step that fails is named, and leaves no table behind', async (t) => {
  const { place, remove } = await makePlace()
  const store = await openPlace(place)
  const { db, close } = store
  t.after(async () => {
    await close()
    await remove()
  })
  await sql`create view idempotency as select 1 as one`.execute(db)
  const before = await describe(db)
  await assert.rejects(migrate(store), /The migration 0001-tables failed: .*idempotency/)
  assert.deepEqual(await describe(db), before)
})

test('documents of an earlier version are shown, and keep right and wrong checksums', async (t) => {
  const { place, remove } = await makePlace()
  const store = await openPlace(place)
  const { db } = store
  t.after(async () => {
    await store.close()
    await remove()
  })
  await migrate(store, [firstMigration])
  await insertDocument(db, { id: 'right' })
  await insertDocument(db, { id: 'wrong', checksum: 'other' })
  await migrate(store)
  const rows = await db.selectFrom('documents').select(['id', 'seq', 'enabled', 'title_given']).execute()
  assert.deepEqual(
    rows.map(({ enabled, title_given }) => [enabled, title_given]),
    [
      [1, 0],
      [1, 0],
    ],
  )
  const numbers = rows.map(({ seq }) => seq)
  assert.deepEqual(await listWrongDocuments(db, numbers), new Set(['wrong']))
  await db.updateTable('documents').set({ enabled: 0 }).execute()
  assert.deepEqual(await listWrongDocuments(db, numbers), new Set(['wrong']))
})

test('an external id is unique among live documents of a memory; a waiting document does not claim it', async (t) => {
  const { db } = await temporaryStore(t)
  await insertDocument(db, { id: 'a', externalId: 'same' })
  await insertDocument(db, { id: 'b', externalId: 'same', status: 'pending' })
  await insertDocument(db, { id: 'c', memory: 'other', externalId: 'same', status: 'partial' })
  await assert.rejects(insertDocument(db, { id: 'd', externalId: 'same', status: 'partial' }), isUniqueViolation)
})

test('the order of arrival is never given twice, also after the newest document was removed', async (t) => {
  const { db } = await temporaryStore(t)
  const insert = async (id: string) => {
    await insertDocument(db, { id })
    return (await db.selectFrom('documents').select('seq').where('id', '=', id).executeTakeFirstOrThrow()).seq
  }
  const first = await insert('a')
  await db.deleteFrom('documents').execute()
  assert.ok((await insert('b')) > first)
})

test('texts are compared by their bytes on either database', async (t) => {
  const { db } = await temporaryStore(t)
  for (const id of ['b', 'A', '_', 'a', 'é', '1']) {
    await db.insertInto('organizations').values({ id, name: '', plan: 'free', created_at: '' }).execute()
  }
  const rows = await db.selectFrom('organizations').select('id').orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['1', 'A', '_', 'a', 'b', 'é'],
  )
})

test('the statements for PostgreSQL contain nothing specific to SQLite', () => {
  const text = firstMigration.statements('postgres').join('\n')
  assert.doesNotMatch(text, /autoincrement|rowid/i)
  assert.match(text, /seq bigint generated always as identity primary key/)
})
