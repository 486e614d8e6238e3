import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** Two vectors, 6,000 times, in an index of 20 partitions. */
const PROGRAM = `
  await import(process.argv[1])
  const { connect, Index } = await import('@lancedb/lancedb')
  const rows = Array.from({ length: 6000 }, (_, id) => ({ id, vector: Array.from({ length: 32 }, (_, i) => (i === id % 2 ? 1 : 0.01)) }))
  const table = await (await connect(process.argv[2])).createTable('alike', rows)
  await table.createIndex('vector', { config: Index.ivfFlat({ numPartitions: 20 }) })
`

test('an index over passages that are alike is made without a word on standard error', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-quiet-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const memoryFile = new URL('../../../src/memory-file/lance-memory-file.ts', import.meta.url).href
  const { LANCEDB_LOG: _, ...env } = process.env
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, memoryFile, folder], {
    env,
    encoding: 'utf8',
  })
  assert.equal(run.status, 0, run.stderr)
  assert.equal(run.stderr, '')
})
