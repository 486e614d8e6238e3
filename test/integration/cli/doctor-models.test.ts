import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { examineDataFolder } from '../../../src/cli/installation/examine-data-folder.ts'
import { dataFolder } from '../../../src/files/data-folder.ts'

test('doctor lists the memories whose embedding model is not available', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-doctor-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(dataFolder(folder).database)
  t.after(() => database.close())
  database.exec('create table memories (id text primary key, embedding_model text)')
  const add = database.prepare('insert into memories values (?, ?)')
  const examine = async (environment: Record<string, string> = {}) => {
    const findings = await examineDataFolder({ RECOLLECT_DATA_DIR: folder, ...environment })
    return findings.find(({ check }) => check === 'embedding models')
  }
  add.run('mem_a', 'static-multi')
  add.run('mem_b', null)
  assert.equal((await examine())?.state, 'ok')
  add.run('mem_c', 'static-en')
  add.run('mem_d', 'mini')
  const found = await examine()
  assert.equal(found?.state, 'trouble')
  assert.match(found.detail, /1 of mini, 1 of static-en.*recollect reembed <memory> embedded/)
  const configured = { RECOLLECT_EMBEDDER: 'openai:mini', OPENAI_API_KEY: 'sk-test' }
  assert.match((await examine(configured))?.detail ?? '', /: 1 of static-en;/)
})
