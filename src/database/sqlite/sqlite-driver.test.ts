import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { createSqliteDriver } from './sqlite-driver.ts'

test('yields before each statement of a transaction, without interleaving other statements', async (t) => {
  const done: string[] = []
  let turns = 0
  const yieldToEventLoop = async () => {
    turns += 1
    await new Promise(setImmediate)
  }
  const db = new Kysely<unknown>({
    dialect: {
      createDriver: () => createSqliteDriver(new DatabaseSync(':memory:'), yieldToEventLoop),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  })
  t.after(() => db.destroy())
  const all = db.transaction().execute(async (transaction) => {
    for (const statement of ['first', 'second', 'third']) {
      await sql`select 1`.execute(transaction)
      done.push(statement)
    }
  })
  const other = sql`select 1`.execute(db).then(() => done.push('of another'))
  await Promise.all([all, other])
  assert.equal(turns, 4)
  assert.deepEqual(done, ['first', 'second', 'third', 'of another'])
})
