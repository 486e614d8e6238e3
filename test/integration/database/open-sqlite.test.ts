import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { migrate } from '../../../src/database/migrations.ts'
import { openSqlite } from '../../../src/database/sqlite/open-sqlite.ts'
import { isUniqueViolation } from '../../../src/database/store-errors.ts'
import { ApiError } from '../../../src/errors.ts'
import { temporaryFolder } from './temporary-store.ts'

/** A database file, independent of the database of other tests. */
async function openFile(t: TestContext) {
  const path = join(await temporaryFolder(t), 'data', 'recollect.db')
  const store = await openSqlite({ path })
  // Node runs these hooks in order of registration, so the folder is removed after its file is
  // closed.
  t.after(store.close)
  await migrate(store)
  return { ...store, path }
}

const AT = '2026-11-21T00:00:00.000Z'
const organization = (id: string, name = id) => ({ id, name, plan: 'free', created_at: AT })
const hasCode = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code

test('the database file and its created folder are private to the owner', async (t) => {
  const { db, path } = await openFile(t)
  await db.insertInto('organizations').values(organization('a')).execute()
  assert.equal((await stat(dirname(path))).mode & 0o777, 0o700)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.equal((await stat(file)).mode & 0o777, 0o600, file)
})

test('commits are synchronous, foreign keys hold, the log is written ahead', async (t) => {
  const { db } = await openFile(t)
  const pragma = async (name: string) => Object.values((await sql.raw(`pragma ${name}`).execute(db)).rows[0] ?? {})[0]
  assert.equal(await pragma('journal_mode'), 'wal')
  assert.equal(await pragma('synchronous'), 2)
  assert.equal(await pragma('foreign_keys'), 1)
  const orphan = { id: 'prj', organization_id: 'none', name: 'x', name_key: 'x', created_at: AT, updated_at: AT }
  await assert.rejects(db.insertInto('projects').values(orphan).execute(), /FOREIGN KEY/)
})

test('a transaction that rejects leaves nothing, and the connection is free for the next', async (t) => {
  const { db } = await openFile(t)
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('organizations').values(organization('a')).execute()
    throw new Error('changed my mind')
  })
  await assert.rejects(failing, /changed my mind/)
  assert.deepEqual(await db.selectFrom('organizations').selectAll().execute(), [])
  await db.insertInto('organizations').values(organization('b')).execute()
})

test('concurrent transactions and queries never interleave', async (t) => {
  const { db } = await openFile(t)
  await db.insertInto('organizations').values(organization('a', '0')).execute()
  const increment = () =>
    db.transaction().execute(async (transaction) => {
      const { name } = await transaction.selectFrom('organizations').select('name').executeTakeFirstOrThrow()
      await new Promise((resolve) => setImmediate(resolve))
      await transaction
        .updateTable('organizations')
        .set({ name: String(Number(name) + 1), plan: 'inside' })
        .execute()
      await new Promise((resolve) => setImmediate(resolve))
      await transaction.updateTable('organizations').set({ plan: 'free' }).execute()
    })
  const read = () => db.selectFrom('organizations').select('plan').executeTakeFirstOrThrow()
  const [reads] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, read)),
    Promise.all(Array.from({ length: 20 }, increment)),
  ])
  assert.deepEqual(new Set(reads.map(({ plan }) => plan)), new Set(['free']))
  assert.equal((await db.selectFrom('organizations').select('name').executeTakeFirstOrThrow()).name, '20')
})

test('a full disk is reported as such, reads continue, and writes resume with free space', async (t) => {
  const { db } = await openFile(t)
  await db.insertInto('organizations').values(organization('a')).execute()
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count ?? 0}`).execute(db)
  const large = () =>
    db
      .insertInto('organizations')
      .values(organization('b', 'x'.repeat(1_000_000)))
      .execute()
  await assert.rejects(large(), hasCode('insufficient_storage'))
  const inTransaction = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('organizations').values(organization('c')).execute()
    await transaction
      .insertInto('organizations')
      .values(organization('d', 'x'.repeat(1_000_000)))
      .execute()
  })
  await assert.rejects(inTransaction, hasCode('insufficient_storage'))
  const names = await db.selectFrom('organizations').select('id').execute()
  assert.deepEqual(names, [{ id: 'a' }])
  await sql.raw('pragma max_page_count = 1073741823').execute(db)
  await large()
  assert.equal((await db.selectFrom('organizations').select('id').execute()).length, 2)
})

test('statements after a transaction that SQLite ended are refused, not committed one by one', async (t) => {
  const { db } = await openFile(t)
  const ended = db.transaction().execute(async (transaction) => {
    await sql`rollback`.execute(transaction)
    await transaction.insertInto('organizations').values(organization('a')).execute()
  })
  await assert.rejects(ended, /aborted by an earlier error/)
  assert.deepEqual(await db.selectFrom('organizations').selectAll().execute(), [])
})

test('a unique violation is distinguished from all other errors', async (t) => {
  const { db } = await openFile(t)
  await db.insertInto('organizations').values(organization('a')).execute()
  await assert.rejects(db.insertInto('organizations').values(organization('a')).execute(), isUniqueViolation)
  await assert.rejects(sql`select nothing from nowhere`.execute(db), (error) => !isUniqueViolation(error))
})

test('the probe fails when the file is gone or was overwritten, and only then', async (t) => {
  const { path, probe } = await openFile(t)
  await probe()
  await rename(path, `${path}.away`)
  await assert.rejects(probe(), hasCode('service_unavailable'))
  await writeFile(path, 'something else')
  await assert.rejects(probe(), hasCode('service_unavailable'))
  await rename(`${path}.away`, path)
  await probe()
})

test('a file that is not a database and a folder that cannot be created are refused', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'note.txt'), 'this is no database, however often it is opened'.repeat(50))
  await chmod(join(folder, 'note.txt'), 0o600)
  await assert.rejects(openSqlite({ path: join(folder, 'note.txt') }), hasCode('data_damaged'))
  await assert.rejects(openSqlite({ path: join(folder, 'note.txt', 'inside.db') }))
})

test('two processes write to one database without losing or refusing anything', async (t) => {
  const { db, path } = await openFile(t)
  const source = new URL('../../../src/database/sqlite/open-sqlite.ts', import.meta.url).href
  const script = `
    const { openSqlite } = await import(${JSON.stringify(source)})
    const { db, close } = await openSqlite({ path: ${JSON.stringify(path)} })
    for (let index = 0; index < 20; index += 1) await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('organizations').selectAll().execute()
      await transaction.insertInto('organizations').values({ id: 'other' + index, name: 'x', plan: 'free', created_at: '' }).execute()
    })
    await close()`
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
  const ended = once(other, 'exit')
  let own = 0
  while (other.exitCode === null && other.signalCode === null) {
    own += 1
    await db
      .insertInto('organizations')
      .values(organization(`own${own}`))
      .execute()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(await ended, [0, null])
  assert.equal((await db.selectFrom('organizations').select('id').execute()).length, 20 + own)
})

test('everything committed is there after opening again', async (t) => {
  const path = join(await temporaryFolder(t), 'again.db')
  const first = await openSqlite({ path })
  await sql`create table notes (text text)`.execute(first.db)
  await sql`insert into notes values ('kept')`.execute(first.db)
  await first.close()
  const second = await openSqlite({ path })
  const { rows } = await sql`select text from notes`.execute(second.db)
  await second.close()
  assert.deepEqual(rows, [{ text: 'kept' }])
})

test('freed pages can be returned to the disk, also during writes', async (t) => {
  const { db, path, releaseFreePages, truncateLog } = await openFile(t)
  const long = 'x'.repeat(10_000)
  const rows = Array.from({ length: 500 }, (_, i) => organization(`${i}`, long))
  for (const row of rows) await db.insertInto('organizations').values(row).execute()
  await truncateLog()
  const { size: full } = await stat(path)
  await db.deleteFrom('organizations').where('id', '!=', '499').execute()
  await truncateLog()
  assert.equal((await stat(path)).size, full, 'pages without content stay in the file')
  const writing = db.transaction().execute(async (transaction) => {
    for (const id of ['a', 'b']) await transaction.insertInto('organizations').values(organization(id)).execute()
  })
  await Promise.all([releaseFreePages(), writing])
  const { size } = await stat(path)
  assert.ok(size < full / 4, `${size} bytes of ${full}`)
  const kept = await db.selectFrom('organizations').select('name').orderBy('id').execute()
  assert.deepEqual(
    kept.map(({ name }) => name.length),
    [10_000, 1, 1],
  )
})
