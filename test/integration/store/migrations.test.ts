import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { firstTables } from '../../../src/store/migrations/0001-first-tables.ts'
import { migrate } from '../../../src/store/migrations.ts'
import { openSqlite } from '../../../src/store/open-sqlite.ts'
import { temporaryStore } from './temporary-store.ts'

test('migrating again, also from several processes at once, changes nothing', async (t) => {
  const { db, path } = await temporaryStore(t)
  const before = await sql`select * from sqlite_schema`.execute(db)
  const second = await openSqlite({ path })
  await Promise.all([migrate(db), migrate(second.db), migrate(db)])
  await second.close()
  assert.deepEqual(await sql`select * from sqlite_schema`.execute(db), before)
})

test('a database of a newer version is refused, and left as it is', async (t) => {
  const { db } = await temporaryStore(t)
  await sql`insert into migrations (name, applied_at) values ('9999-from-the-future', '')`.execute(db)
  await assert.rejects(migrate(db), /newer version of Recollect \(9999-from-the-future\)/)
})

test('a step that fails leaves no table behind', async () => {
  const { db, close } = await openSqlite({ path: ':memory:' })
  await sql`create view idempotency as select 1`.execute(db)
  await assert.rejects(migrate(db))
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema`.execute(db)
  assert.deepEqual(rows, [{ name: 'idempotency' }])
  await close()
})

test('a live document has its external id to itself within its memory; a waiting one does not claim it', async (t) => {
  const { db } = await temporaryStore(t)
  const insert = (id: string, memory: string, status: string) =>
    sql`insert into documents (id, organization_id, memory_id, external_id, title, mime_type, source_type, tags, metadata,
      status, size_bytes, storage_bytes, ocr_pages, chunk_count, character_count, has_source, pages, created_at, updated_at)
      values (${id}, 'o', ${memory}, 'same', 't', 'text/plain', 'text', '[]', '{}', ${status}, 0, 0, 0, 0, 0, 0, '[]', '', '')`.execute(
      db,
    )
  await insert('a', 'm', 'ready')
  await insert('b', 'm', 'pending')
  await insert('c', 'other', 'partial')
  await assert.rejects(insert('d', 'm', 'partial'), /UNIQUE/)
})

test('the order of arrival is never given twice, also after the newest document was removed', async (t) => {
  const { db } = await temporaryStore(t)
  const insert = async (id: string) => {
    await sql`insert into documents (id, organization_id, memory_id, title, mime_type, source_type, tags, metadata,
      status, size_bytes, storage_bytes, ocr_pages, chunk_count, character_count, has_source, pages, created_at, updated_at)
      values (${id}, 'o', 'm', 't', 'text/plain', 'text', '[]', '{}', 'ready', 0, 0, 0, 0, 0, 0, '[]', '', '')`.execute(
      db,
    )
    return (await db.selectFrom('documents').select('seq').where('id', '=', id).executeTakeFirstOrThrow()).seq
  }
  const first = await insert('a')
  await db.deleteFrom('documents').execute()
  assert.ok((await insert('b')) > first)
})

test('the statements for PostgreSQL have none of what only SQLite understands', () => {
  const text = firstTables.statements('postgres').join('\n')
  assert.doesNotMatch(text, /autoincrement|rowid/i)
  assert.match(text, /seq bigint generated always as identity primary key/)
})
