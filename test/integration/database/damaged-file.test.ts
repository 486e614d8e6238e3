import assert from 'node:assert/strict'
import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { migrate } from '../../../src/database/migrations.ts'
import { checkFile, checkFileConcurrently } from '../../../src/database/sqlite/check-file.ts'
import { openSqlite } from '../../../src/database/sqlite/open-sqlite.ts'
import { rebuildFile } from '../../../src/database/sqlite/rebuild-file.ts'
import { temporaryFolder } from './temporary-store.ts'

const PAGE_BYTES = 4096

/** A closed file with a multi-page table, indexes, free pages, and a table with referring rows. */
async function makeFile(t: TestContext): Promise<string> {
  const path = join(await temporaryFolder(t), 'recollect.sqlite')
  const database = new DatabaseSync(path)
  database.exec(`pragma journal_mode = wal; begin;
    create table notes (id text not null primary key, text text not null);
    create index notes_by_text on notes (text);
    create table tags (note text not null references notes (id), tag text not null, primary key (note, tag)) without rowid;
    create table gone (text text)`)
  const note = database.prepare('insert into notes values (?, ?)')
  const tag = database.prepare('insert into tags values (?, ?)')
  for (let at = 0; at < 2000; at += 1) {
    note.run(`note_${at}`, `the tide of day ${at} `.repeat(5))
    tag.run(`note_${at}`, 'sea')
  }
  const gone = database.prepare('insert into gone values (?)')
  for (let at = 0; at < 100; at += 1) gone.run('soon deleted '.repeat(300))
  database.exec('delete from gone; commit')
  database.close()
  return path
}

const rootOf = (path: string, name: string) =>
  reading(path, (database) =>
    Number(database.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage']),
  )

function reading<Value>(path: string, read: (database: DatabaseSync) => Value): Value {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

async function zeroPage(path: string, page: number): Promise<void> {
  await using file = await open(path, 'r+')
  await file.write(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
}

/**
 * The last child of a tree's root, which is a leaf here. https://sqlite.org/fileformat2.html
 * section 1.6
 */
async function leafOf(path: string, name: string): Promise<number> {
  const content = await readFile(path)
  return content.readUInt32BE((rootOf(path, name) - 1) * PAGE_BYTES + 8)
}

const partsOf = (path: string) => new Set(checkFile(path, 'whole').problems.map(({ part }) => part))

test('an intact file has no problems, in this thread and in a separate one', async (t) => {
  const path = await makeFile(t)
  const whole = { problems: [], unchecked: [] }
  for (const extent of ['quick', 'whole'] as const) assert.deepEqual(checkFile(path, extent), whole)
  const database = new DatabaseSync(path)
  database.exec(`insert into gone values (zeroblob(${9 * 1024 * 1024}))`)
  assert.deepEqual(await checkFileConcurrently(path, 'whole'), whole)
  const late = checkFileConcurrently(path, 'whole', AbortSignal.abort(new Error('the service stops')))
  await assert.rejects(late)
  database.close()
})

test('a lost page of a table is a problem that rebuilding indexes does not fix', async (t) => {
  for (const page of [leafOf, async (path: string, name: string) => rootOf(path, name)]) {
    for (const name of ['notes', 'tags']) {
      const path = await makeFile(t)
      await zeroPage(path, await page(path, name))
      for (const extent of ['quick', 'whole'] as const)
        assert.ok(checkFile(path, extent).problems.some(({ part }) => part === 'table'))
      assert.equal(await rebuildFile(path), false)
    }
  }
})

test('a lost page of an index is distinguished from a table page and rebuilt without losing a row', async (t) => {
  for (const name of ['notes_by_text', 'sqlite_autoindex_notes_1']) {
    for (const page of [leafOf, async (path: string) => rootOf(path, name)]) {
      const path = await makeFile(t)
      await zeroPage(path, await page(path, name))
      const parts = partsOf(path)
      assert.ok(parts.has('index') && !parts.has('table'), `${name}: ${[...parts]}`)
      assert.equal(await rebuildFile(path), true)
      assert.deepEqual(partsOf(path), new Set())
      assert.equal(
        reading(path, (database) => database.prepare('select count(*) as n from notes').get()?.['n']),
        2000,
      )
    }
  }
})

test('a row that differs from its index is a problem', async (t) => {
  const path = await makeFile(t)
  const content = await readFile(path)
  const place = content.indexOf('the tide of day 1500 ', (rootOf(path, 'notes_by_text') - 1) * PAGE_BYTES)
  await using file = await open(path, 'r+')
  await file.write(Buffer.from('t'), 0, 1, place + 1)
  assert.deepEqual(checkFile(path, 'quick').problems, [])
  assert.ok(partsOf(path).size > 0)
})

test('only a rebuilt file returns freed pages to the disk', async (t) => {
  for (const mode of [0, 2]) {
    const path = await makeFile(t)
    const database = new DatabaseSync(path)
    database.exec(`pragma auto_vacuum = ${mode}; vacuum`)
    database.close()
    await zeroPage(path, rootOf(path, 'notes_by_text'))
    assert.equal(await rebuildFile(path), true)
    assert.equal(
      reading(path, (made) => made.prepare('pragma auto_vacuum').get()?.['auto_vacuum']),
      mode,
    )
  }
})

test('two rows of the same unique key are a problem that making indexes again does not mend', async (t) => {
  const path = await makeFile(t)
  const database = new DatabaseSync(path)
  database.exec('drop table tags')
  database.close()
  const content = await readFile(path)
  // The id of one row becomes the id of another row, in the table and in its index.
  for (let at = content.indexOf('note_1999'); at >= 0; at = content.indexOf('note_1999', at + 1))
    content[at + 8] = '8'.charCodeAt(0)
  await writeFile(path, content)
  const [problem] = checkFile(path, 'whole').problems
  assert.match(problem?.detail ?? '', /non-unique entry in index/)
  assert.equal(await rebuildFile(path), false)
  assert.ok(checkFile(path, 'whole').problems.length > 0)
})

test('the list of free pages is made again', async (t) => {
  const path = await makeFile(t)
  const trunk = (await readFile(path)).readUInt32BE(32)
  assert.ok(trunk > 0)
  await zeroPage(path, trunk)
  assert.deepEqual(partsOf(path), new Set(['space']))
  assert.equal(await rebuildFile(path), true)
  assert.deepEqual(partsOf(path), new Set())
})

test('a file without its header, its end or any content is damaged', async (t) => {
  const path = await makeFile(t)
  await truncate(path, (await stat(path)).size / 2)
  assert.ok(partsOf(path).has('table'))
  await zeroPage(path, 1)
  assert.deepEqual(partsOf(path), new Set(['table']))
  await assert.rejects(openSqlite({ path }), { code: 'data_damaged' })
})

test('a row whose other half is gone is a problem, once all pages are whole', async (t) => {
  const path = await makeFile(t)
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  database.exec("delete from notes where id = 'note_7'")
  database.close()
  const [problem, ...others] = checkFile(path, 'whole').problems
  assert.equal(problem?.part, 'reference')
  assert.match(problem?.detail ?? '', /1 rows of tags refer to missing rows of notes/)
  assert.deepEqual(others, [])
})

test('a statement that meets damage notifies the listener', async (t) => {
  const path = await makeFile(t)
  await zeroPage(path, await leafOf(path, 'notes'))
  const store = await openSqlite({ path })
  t.after(() => store.close())
  const told: string[] = []
  store.onDamage(({ code }) => void told.push(code))
  await sql`select count(*) from tags`.execute(store.db)
  assert.deepEqual(told, [])
  await assert.rejects(sql`select sum(length(text)) from notes not indexed`.execute(store.db), { code: 'data_damaged' })
  assert.deepEqual(told, ['data_damaged'])
  assert.ok((await store.check('quick')).problems.length > 0)
})

test('a schema with a different column, trigger or migration is a problem', async (t) => {
  const changes = [
    ["update sqlite_schema set sql = replace(sql, 'ocr_pages', 'ocr_qages') where name = 'documents'", /ocr_pages/],
    [
      "update sqlite_schema set sql = replace(sql, 'new.title', 'new.error') where name = 'documents_updated'",
      /documents_updated/,
    ],
    ["update migrations set name = '0001-tablet' where name = '0001-tables'", /0001-tablet/],
  ] as const
  for (const [statement, named] of changes) {
    const path = join(await temporaryFolder(t), 'recollect.sqlite')
    const store = await openSqlite({ path })
    await migrate(store)
    assert.deepEqual((await store.check('whole')).problems, [])
    await store.close()
    const database = new DatabaseSync(path, { defensive: false })
    database.exec(`pragma writable_schema = on; ${statement}`)
    database.close()
    const { problems } = checkFile(path, 'whole')
    assert.ok(
      problems.some(({ detail }) => named.test(detail)),
      JSON.stringify(problems),
    )
  }
})
