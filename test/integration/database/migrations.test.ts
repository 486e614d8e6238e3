import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { listBandNeighbours } from '../../../src/database/documents/duplicates.ts'
import { firstTables } from '../../../src/database/migrations/0001-first-tables.ts'
import type { Migration } from '../../../src/database/migrations/migration.ts'
import { MIGRATIONS, migrate } from '../../../src/database/migrations.ts'
import type { Tables } from '../../../src/database/schema.ts'
import { requireRoomToRewrite } from '../../../src/database/sqlite/rewrite-room.ts'
import { isUniqueViolation } from '../../../src/database/store-errors.ts'
import { makePlace, ON_POSTGRES, openPlace, temporaryStore } from './temporary-store.ts'

/** Everything the database is made of, in words that do not change with the moment. */
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

type DocumentRow = { id: string; memory?: string; externalId?: string; status?: string }

function insertDocument(db: Kysely<Tables>, { id, memory = 'm', externalId, status = 'ready' }: DocumentRow) {
  return sql`insert into documents (id, organization_id, memory_id, external_id, title, mime_type, source_type, tags,
    metadata, status, size_bytes, storage_bytes, ocr_pages, chunk_count, character_count, has_source, pages, created_at,
    updated_at) values (${id}, 'o', ${memory}, ${externalId ?? null}, 't', 'text/plain', 'text', '[]', '{}', ${status}, 0, 0, 0,
    0, 0, 0, '[]', '', '')`.execute(db)
}

test('migrating again, also from several processes at once, changes nothing', async (t) => {
  const store = await temporaryStore(t)
  const { db, place } = store
  const before = await describe(db)
  assert.ok(before.length > 30)
  const second = await openPlace(place)
  await Promise.all([migrate(store), migrate(second), migrate(store)])
  await second.close()
  assert.deepEqual(await describe(db), before)
})

test('ten processes that start on an empty database make its tables once', async (t) => {
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

test('a database that any earlier version left comes to the same tables, with what is in it', async (t) => {
  const fresh = await describe((await temporaryStore(t)).db)
  for (let steps = 1; steps < MIGRATIONS.length; steps += 1) {
    const { place, remove } = await makePlace()
    const store = await openPlace(place)
    const { db, close } = store
    t.after(async () => {
      await close()
      await remove()
    })
    await migrate(store, MIGRATIONS.slice(0, steps))
    await insertDocument(db, { id: 'kept' })
    const tag = { document_id: 'kept', memory_id: 'm', tag: 'old' }
    await db.insertInto('document_tags').values(tag).execute()
    const rest = MIGRATIONS.slice(steps).map(({ name }) => name)
    assert.deepEqual(await migrate(store), rest)
    assert.deepEqual(await describe(db), fresh)
    assert.deepEqual(await db.selectFrom('documents').select('id').execute(), [{ id: 'kept' }])
    assert.deepEqual(await db.selectFrom('document_tags').selectAll().execute(), [tag])
  }
})

test('steps that databases have taken are never changed', () => {
  const hashOf = (migration: Migration) => {
    const statements = (['sqlite', 'postgres'] as const).flatMap((dialect) => migration.statements(dialect))
    return createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16)
  }
  assert.deepEqual(Object.fromEntries(MIGRATIONS.map((migration) => [migration.name, hashOf(migration)])), {
    '0001-first-tables': '8e3974354868032a',
    '0002-nodes': '577147efdcb9c134',
    '0004-erasures': 'b77895603de0e33a',
    '0005-webhooks': '0346c1904bdcc04d',
    '0006-corrections': '63b37095ff35a205',
    '0007-reembedding': '0e7db862b80051f3',
    '0008-outranked': 'd2ef03f9fbef1336',
    '0009-original-hashes': '570b8009d277aaa3',
    '0010-packed-bands': '7ddf459735272c38',
    '0011-loose-tags': '45b233576931dbe3',
    '0012-job-runs': '84721323591080f6',
    '0013-row-checksums': '92f55e385950db1b',
    '0014-marks': 'eee4ffb9ae97dd9c',
  })
})

test('what an earlier version noted of near duplicates finds them still, in their memory alone', async (t) => {
  const { place, remove } = await makePlace()
  const store = await openPlace(place)
  const { db, close } = store
  t.after(async () => {
    await close()
    await remove()
  })
  const before = MIGRATIONS.findIndex(({ name }) => name === '0010-packed-bands')
  await migrate(store, MIGRATIONS.slice(0, before))
  const [memory, other] = ['mem_one_same', 'mem_two_same']
  for (const [id, memoryId] of [
    ['a', memory],
    ['b', memory],
    ['c', other],
  ] as const) {
    await insertDocument(db, { id, memory: memoryId })
    await sql`insert into signatures (document_id, signature) values (${id}, 'AAAA')`.execute(db)
    for (const band of ['000123456789abcdef', `01${id}0123456789abcde`]) {
      await sql`insert into near_duplicates (memory_id, band, document_id) values (${memoryId}, ${band}, ${id})`.execute(
        db,
      )
    }
  }
  await migrate(store)
  const find = async (band: string) =>
    (await listBandNeighbours(db, { memoryId: memory, bands: [band], limit: 50 })).map(({ id }) => id)
  await sql`delete from documents where id = 'a'`.execute(db)
  assert.deepEqual(await find('0123456789ab'), ['b'])
  assert.deepEqual(await find('b0123456789a'), ['b'])
  assert.deepEqual(await find('c0123456789a'), [])
  const { rows } = await sql<{ bands: number }>`select count(*) as bands from signature_bands`.execute(db)
  assert.equal(Number(rows[0]?.bands), 4)
})

test('a database of a newer version is refused, and left as it is', async (t) => {
  const store = await temporaryStore(t)
  const { db } = store
  await sql`insert into migrations (name, applied_at) values ('9999-from-the-future', '')`.execute(db)
  await assert.rejects(migrate(store), /newer version of Recollect \(9999-from-the-future\)/)
})

test('a step that fails leaves no table behind', async (t) => {
  const { place, remove } = await makePlace()
  const store = await openPlace(place)
  const { db, close } = store
  t.after(async () => {
    await close()
    await remove()
  })
  await sql`create view idempotency as select 1 as one`.execute(db)
  const before = await describe(db)
  await assert.rejects(migrate(store))
  assert.deepEqual(await describe(db), before)
})

test('a live document has its external id to itself within its memory; a waiting one does not claim it', async (t) => {
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

test('where the disk has no room for the rows that are written anew nothing is changed, and it is said how much is missing', {
  skip: ON_POSTGRES,
}, async (t) => {
  const { place, remove } = await makePlace()
  const store = await openPlace(place)
  t.after(async () => {
    await store.close()
    await remove()
  })
  const before = MIGRATIONS.findIndex(({ name }) => name === '0013-row-checksums')
  await migrate(store, MIGRATIONS.slice(0, before))
  const add = (id: string) => insertDocument(store.db, { id, externalId: `${id} ${'x'.repeat(400)}` })
  for (let at = 0; at < 3000; at += 1) await add(`doc_${at}`)
  await store.cutLog()
  const bytesOf = async (path: string) => (await stat(path)).size
  const was = await bytesOf(place)
  const migrateWith = (free: number) =>
    migrate({
      ...store,
      requireRoomToRewrite: (transaction, tables) => requireRoomToRewrite(transaction, tables, async () => free),
    })
  await assert.rejects(migrateWith(1024 * 1024), /takes \d+ MB of disk, and 1 MB are free: make room/)
  assert.equal((await sql`select name from migrations`.execute(store.db)).rows.length, before)

  let asked = 0
  await migrate({
    ...store,
    requireRoomToRewrite: (transaction, tables) =>
      requireRoomToRewrite(transaction, tables, async () => {
        for (asked = 1024; ; asked += 64 * 1024)
          if (
            await requireRoomToRewrite(transaction, tables, async () => asked).then(
              () => true,
              () => false,
            )
          )
            break
        return asked
      }),
  })
  const took = await bytesOf(`${place}-wal`)
  await store.cutLog()
  const grown = (await bytesOf(place)) - was
  t.diagnostic(`asked for ${asked} bytes, took ${took} of log and ${grown} of the file`)
  assert.ok(took + grown <= asked)
})

test('the statements for PostgreSQL have none of what only SQLite understands', () => {
  const text = firstTables.statements('postgres').join('\n')
  assert.doesNotMatch(text, /autoincrement|rowid/i)
  assert.match(text, /seq bigint generated always as identity primary key/)
})
