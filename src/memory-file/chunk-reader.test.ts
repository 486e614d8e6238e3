import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Table } from '@lancedb/lancedb'
import { createRowCounter } from './chunk-reader.ts'

function tableOf(rows: () => number): Table {
  return { countRows: async () => rows() } as Pick<Table, 'countRows'> as Table
}

test('a row count is cached for ten seconds', async () => {
  let nowMs = 0
  let rows = 5
  const table = tableOf(() => rows)
  const countRows = createRowCounter(() => nowMs)
  assert.equal(await countRows(table), 5)
  rows = 900
  nowMs = 9999
  assert.equal(await countRows(table), 5)
  nowMs = 10_000
  assert.equal(await countRows(table), 900)
})

test('each table has its own row count', async () => {
  const countRows = createRowCounter(() => 0)
  const counts = [tableOf(() => 1), tableOf(() => 2)].map(countRows)
  assert.deepEqual(await Promise.all(counts), [1, 2])
})
