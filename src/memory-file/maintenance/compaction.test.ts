import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Table } from '@lancedb/lancedb'
import { createCompaction } from './compaction.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const versions = { list: async () => [1] }

/** A table that keeps its versions. `commit` makes commits of one row, `add` one commit of many. */
async function tended() {
  let rows = 0
  const table = {
    stats: async () => ({ numRows: rows, fragmentStats: { numFragments: 0 } }),
    indexStats: async () => ({ numUnindexedRows: 0 }),
    optimize: async () => ({ prune: { oldVersionsRemoved: 0 } }),
    countRows: async () => rows,
    listIndices: async () => [],
    createIndex: async () => {},
    version: async () => 1,
  } as unknown as Table
  const compaction = createCompaction({ now: () => new Date(0), log, versions, vectorIndexRows: 1_000_000 })
  const commit = async (count: number) => {
    rows += count
    for (let i = 0; i < count; i++) await compaction.recordCommit('m', table, 1)
  }
  const add = async (count: number) => {
    rows += count
    await compaction.recordCommit('m', table, count)
  }
  // The first commit reads the state of the table.
  await commit(1)
  return {
    compaction,
    commit,
    add,
    tend: () => compaction.maintain('m', table, { newest: { version: 1, writtenAt: new Date(0) } }),
  }
}

test('single adds make maintenance due every 50 commits, and overdue at twice as many', async () => {
  const { compaction, commit } = await tended()
  await commit(49)
  assert.equal(compaction.isDue('m'), false)
  await commit(1)
  assert.deepEqual([compaction.isDue('m'), compaction.isOverdue('m')], [true, false])
  await commit(50)
  assert.equal(compaction.isOverdue('m'), true)
})

test('for an idle memory, a few unindexed rows make maintenance due', async () => {
  const { compaction, add, tend } = await tended()
  await add(90_000)
  await tend()
  await add(400)
  assert.deepEqual([compaction.isDue('m'), compaction.isDue('m', true)], [false, false])
  await add(100)
  assert.deepEqual([compaction.isDue('m'), compaction.isDue('m', true)], [false, true])
})

test('more retained versions raise the number of commits before maintenance', async () => {
  const { compaction, commit, tend } = await tended()
  await commit(4000)
  await tend()
  await commit(79)
  assert.equal(compaction.isDue('m'), false)
  await commit(10)
  assert.equal(compaction.isDue('m'), true)
})

/**
 * A table of `rows` rows with only the index of terms, which records calls; `during` runs while the
 * table is compacted.
 */
function unindexed(rows: number, during: () => void) {
  const done: string[] = []
  const table = {
    optimize: async () => {
      done.push('optimize')
      during()
      return { prune: { oldVersionsRemoved: 0 } }
    },
    countRows: async () => rows,
    listIndices: async () => [],
    createIndex: async (column: string) => void done.push(column),
    indexStats: async () => ({ numIndices: 1 }),
    version: async () => 1,
  } as unknown as Table
  const compaction = createCompaction({ now: () => new Date(0), log, versions, vectorIndexRows: 100 })
  const carryOut = (signal: AbortSignal) =>
    compaction.maintain('m', table, { newest: { version: 1, writtenAt: new Date(0) }, signal })
  return { compaction, done, carryOut }
}

test('a cancelled maintenance run builds no more indexes and stays due', async () => {
  const leaving = new AbortController()
  const { compaction, done, carryOut } = unindexed(200, () => leaving.abort())
  await carryOut(leaving.signal)
  assert.deepEqual([done, compaction.isDue('m')], [['optimize'], true])
  await carryOut(leaving.signal)
  assert.deepEqual([done, compaction.isDue('m')], [['optimize'], true])
  await carryOut(new AbortController().signal)
  assert.deepEqual([done, compaction.isDue('m')], [['optimize', 'optimize', 'vector'], false])
})

test('a maintenance run that conflicted and was cancelled is not retried', async () => {
  const leaving = new AbortController()
  const { done, carryOut } = unindexed(200, () => {
    setTimeout(() => leaving.abort())
    throw new Error('Retryable commit conflict for version 2')
  })
  await carryOut(leaving.signal)
  assert.deepEqual(done, ['optimize'])
})
