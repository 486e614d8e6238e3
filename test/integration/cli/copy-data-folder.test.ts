import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { backUp, copyDataFolder } from '../../../src/cli/installation/copy-data-folder.ts'
import { dataFolder } from '../../../src/files/data-folder.ts'

/** Enough files to spread a copy over several turns of the event loop. */
const FILES = 60

/** A data folder with one memory. Its file can be renamed on demand, as a re-embedding does. */
function openFolder(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'recollect-copied-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [from, to] = [join(root, 'data'), join(root, 'copy')]
  const { database: path, memoryFiles } = dataFolder(from)
  mkdirSync(from)
  const database = new DatabaseSync(path)
  t.after(() => database.close())
  database.exec("create table memories (id text primary key, file text); insert into memories values ('mem_a', null)")

  function write(name: string): void {
    const folder = join(memoryFiles, 'memories', `${name}.lance`)
    for (const kind of ['_versions', 'data']) mkdirSync(join(folder, kind), { recursive: true })
    writeFileSync(join(folder, '_versions', '1.manifest'), name)
    for (let file = 0; file < FILES; file += 1) writeFileSync(join(folder, 'data', `${file}.lance`), name)
  }

  /**
   * Replaces the memory file and removes the old one immediately, sooner than the service would.
   */
  function replace(name: string, old: string): void {
    write(name)
    database.prepare('update memories set file = ?').run(name)
    rmSync(join(memoryFiles, 'memories', `${old}.lance`), { recursive: true })
  }
  write('mem_a')
  return { from, to, replace, isDatabaseCopied: () => existsSync(dataFolder(to).database) }
}

/** The file name in the copied database, and the content of the file. */
function readCopy(folder: string) {
  const { database: path, memoryFiles } = dataFolder(folder)
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare('select coalesce(file, id) as file from memories').get()
  database.close()
  const file = String(row?.['file'])
  const data = join(memoryFiles, 'memories', `${file}.lance`)
  return [
    file,
    ...Array.from({ length: FILES }, (_, one) => readFileSync(join(data, 'data', `${one}.lance`), 'utf8')),
    readFileSync(join(data, '_versions', '1.manifest'), 'utf8'),
  ]
}

/** Acts in the turn in which the condition first holds. */
function once(condition: () => boolean, act: () => void): () => void {
  let isOver = false
  const look = () => {
    if (isOver) return
    if (!condition()) return void setImmediate(look)
    isOver = true
    act()
  }
  setImmediate(look)
  return () => {
    isOver = true
  }
}

test('a memory re-embedded during its copy is copied again with the file in its row', async (t) => {
  const { from, to, replace, isDatabaseCopied } = openFolder(t)
  let isReplaced = false
  t.after(
    once(isDatabaseCopied, () => {
      isReplaced = true
      replace('mem_a.01k1', 'mem_a')
    }),
  )
  await copyDataFolder(from, to)
  assert.ok(isReplaced)
  const [named, ...contents] = readCopy(to)
  assert.equal(named, 'mem_a.01k1')
  assert.ok(contents.every((content) => content === 'mem_a.01k1'))
})

test('a version that disappears during a copy is replaced by its successor, also on a full disk', async (t) => {
  const { from, to } = openFolder(t)
  const place = (folder: string) => join(dataFolder(folder).memoryFiles, 'memories', 'mem_a.lance')
  const [old, next] = [join(place(from), '_versions', '1.manifest'), join(place(from), '_versions', '0.manifest')]
  t.after(
    once(
      () => existsSync(join(place(to), '_versions', '1.manifest')),
      () => {
        writeFileSync(join(place(from), 'data', 'new.lance'), 'new')
        writeFileSync(next, 'new')
        rmSync(old)
      },
    ),
  )
  await copyDataFolder(from, to)
  assert.ok(!existsSync(old))
  assert.equal(readFileSync(join(place(to), '_versions', '0.manifest'), 'utf8'), 'new')
  assert.equal(readFileSync(join(place(to), 'data', 'new.lance'), 'utf8'), 'new')
})

test('a copy that never finishes without a re-embedding says so', async (t) => {
  const { from, to, replace } = openFolder(t)
  let number = 0
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const replaceAgain = () => {
    if (isOver) return
    const old = number === 0 ? 'mem_a' : `mem_a.01k${number}`
    number += 1
    replace(`mem_a.01k${number}`, old)
    setImmediate(replaceAgain)
  }
  setImmediate(replaceAgain)
  await assert.rejects(copyDataFolder(from, to), /re-embedded while they were copied; back up again later/)
  isOver = true
})

test('an unusable target folder is refused in plain words, and an incomplete copy is reported', async (t) => {
  const { from, to } = openFolder(t)
  const environment = { RECOLLECT_DATA_DIR: from }
  const file = join(from, 'recollect.sqlite')
  const other = join(from, '..', 'notes.txt')
  writeFileSync(other, 'x')
  await assert.rejects(backUp(environment, other), /notes\.txt is not a folder and cannot be created .*name another/)
  await assert.rejects(backUp(environment, from), /data is not empty; choose a folder that does not exist yet/)
  await assert.rejects(backUp(environment, join(from, 'objects', 'copy')), /is in the data folder itself/)
  assert.ok(!existsSync(join(from, 'objects', 'copy')))
  rmSync(file)
  writeFileSync(file, 'no database '.repeat(1000))
  await assert.rejects(backUp(environment, to), /The copy in .*copy is incomplete; delete it\. Cause: /)
})
