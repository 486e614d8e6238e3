import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Table } from '@lancedb/lancedb'
import { createUpkeep } from './upkeep.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

/** A table that keeps its versions; `commit` makes commits of one row, `add` one of many. */
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
  const upkeep = createUpkeep({ now: () => new Date(0), log, vectorIndexRows: 1_000_000 })
  const commit = async (count: number) => {
    rows += count
    for (let i = 0; i < count; i++) await upkeep.noteCommit('m', table, 1)
  }
  const add = async (count: number) => {
    rows += count
    await upkeep.noteCommit('m', table, count)
  }
  // The first is what makes it look at the table.
  await commit(1)
  return {
    upkeep,
    commit,
    add,
    tend: () => upkeep.carryOut('m', table, { newest: { version: 1, writtenAt: new Date(0) } }),
  }
}

test('single adds call for upkeep every 50 commits, and urgently at twice as many', async () => {
  const { upkeep, commit } = await tended()
  await commit(49)
  assert.equal(upkeep.isDue('m'), false)
  await commit(1)
  assert.deepEqual([upkeep.isDue('m'), upkeep.isOverdue('m')], [true, false])
  await commit(50)
  assert.equal(upkeep.isOverdue('m'), true)
})

test('of a memory at rest a few rows outside the index are enough', async () => {
  const { upkeep, add, tend } = await tended()
  await add(90_000)
  await tend()
  await add(400)
  assert.deepEqual([upkeep.isDue('m'), upkeep.isDue('m', true)], [false, false])
  await add(100)
  assert.deepEqual([upkeep.isDue('m'), upkeep.isDue('m', true)], [false, true])
})

test('the more versions stand, the more commits upkeep waits for', async () => {
  const { upkeep, commit, tend } = await tended()
  await commit(4000)
  await tend()
  await commit(79)
  assert.equal(upkeep.isDue('m'), false)
  await commit(10)
  assert.equal(upkeep.isDue('m'), true)
})

/** A table of so many rows without an index but that of the terms, which notes what is done to it; `during` happens while it is compacted. */
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
  const upkeep = createUpkeep({ now: () => new Date(0), log, vectorIndexRows: 100 })
  const carryOut = (signal: AbortSignal) =>
    upkeep.carryOut('m', table, { newest: { version: 1, writtenAt: new Date(0) }, signal })
  return { upkeep, done, carryOut }
}

test('an upkeep that is told to end makes no more indexes, and is due', async () => {
  const leaving = new AbortController()
  const { upkeep, done, carryOut } = unindexed(200, () => leaving.abort())
  await carryOut(leaving.signal)
  assert.deepEqual([done, upkeep.isDue('m')], [['optimize'], true])
  await carryOut(leaving.signal)
  assert.deepEqual([done, upkeep.isDue('m')], [['optimize'], true])
  await carryOut(new AbortController().signal)
  assert.deepEqual([done, upkeep.isDue('m')], [['optimize', 'optimize', 'vector'], false])
})

test('an upkeep that others came before, told to end meanwhile, is not tried again', async () => {
  const leaving = new AbortController()
  const { done, carryOut } = unindexed(200, () => {
    setTimeout(() => leaving.abort())
    throw new Error('Retryable commit conflict for version 2')
  })
  await carryOut(leaving.signal)
  assert.deepEqual(done, ['optimize'])
})
