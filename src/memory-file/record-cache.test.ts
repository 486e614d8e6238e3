import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecordCache } from './record-cache.ts'

const table = { name: 'one' }
const record = (byte: number, length = 10) => new Uint8Array(length).fill(byte)
const bytesOf = (kept: Uint8Array | null) => kept && [...new Set(kept)]

test('returns a record unchanged, only for its table and row', () => {
  const records = createRecordCache(100)
  const given = record(1)
  records.put(table, 1n, given)
  given.fill(9)
  records.put({ name: 'other' }, 2n, record(2))
  assert.deepEqual(bytesOf(records.get(table, 1n)), [1])
  assert.equal(records.get(table, 1n)?.length, 10)
  assert.equal(records.get(table, 2n), null)
  assert.equal(records.get({ name: 'one' }, 1n), null)
})

test('keeps as many records as fit, always including the newest', () => {
  const records = createRecordCache(100)
  for (let row = 0; row < 1000; row += 1) {
    records.put(table, BigInt(row), record(row % 200))
    assert.deepEqual(bytesOf(records.get(table, BigInt(row))), [row % 200])
  }
  const there = Array.from({ length: 1000 }, (_, row) => records.get(table, BigInt(row))).filter((one) => one !== null)
  assert.ok(there.length <= 10, `${there.length} of 10 bytes in 100`)
})

test('requested records stay while others are evicted', () => {
  const records = createRecordCache(100)
  records.put(table, 0n, record(7))
  for (let row = 1; row < 100; row += 1) {
    records.put(table, BigInt(row), record(1))
    assert.deepEqual(bytesOf(records.get(table, 0n)), [7], `after ${row}`)
  }
  assert.equal(records.get(table, 1n), null)
})

test('a record over half of the size is not cached and evicts nothing', () => {
  const records = createRecordCache(100)
  records.put(table, 1n, record(1))
  records.put(table, 2n, record(2, 51))
  assert.equal(records.get(table, 2n), null)
  assert.deepEqual(bytesOf(records.get(table, 1n)), [1])
})

test('forgetting a table evicts only its records', () => {
  const records = createRecordCache(100)
  const other = { name: 'other' }
  for (let row = 0; row < 8; row += 1) records.put(row % 2 === 0 ? table : other, BigInt(row), record(row))
  records.evict(table)
  const left = Array.from({ length: 8 }, (_, row) =>
    [table, other].filter((one) => records.get(one, BigInt(row)) !== null),
  )
  assert.deepEqual(left.flat().includes(table), false)
  assert.ok(left.flat().includes(other))
})
