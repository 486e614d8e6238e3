import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Warning } from '../api/values.ts'
import { ApiError } from '../errors.ts'
import { LISTED_BYTES } from '../limits.ts'
import { decodeCursor, encodeCursor, limitWarnings, type Page, readPage, takeFitting } from './paging.ts'

const DIGITS = /^\d{1,15}$/
const isInvalid = (error: unknown) => error instanceof ApiError && error.code === 'invalid_cursor'

test('a cursor gives its position back to the list it was made for, and to no other', () => {
  const cursor = encodeCursor('documents mem_a', '42')
  assert.equal(decodeCursor('documents mem_a', cursor, DIGITS), '42')
  assert.match(cursor, /^[\w-]+$/)
  for (const list of ['documents mem_b', 'documents', 'keys', '']) {
    assert.throws(() => decodeCursor(list, cursor, DIGITS), isInvalid)
  }
})

test('whatever was not made by this list is refused as an invalid cursor', () => {
  const own = encodeCursor('keys', '42')
  for (const cursor of [
    '',
    'x',
    '42',
    `${own}=`,
    `${own} `,
    own.slice(1),
    encodeCursor('keys', '4x'),
    'A'.repeat(9999),
  ]) {
    assert.throws(() => decodeCursor('keys', cursor, DIGITS), isInvalid, cursor.slice(0, 20))
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (cursor) => {
      assert.throws(() => decodeCursor('keys', cursor, DIGITS), isInvalid)
    }),
  )
})

test('pages meet without a gap or a repetition, and only the last has no cursor', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => 7 - index)
  const paging = {
    name: 'numbers' as const,
    list: 'numbers',
    pattern: DIGITS,
    positionOf: String,
    read: async (after: string | null, limit: number) =>
      rows.filter((row) => after === null || row < Number(after)).slice(0, limit),
    count: async () => rows.length,
    toResource: (row: number) => ({ row }),
  }
  const seen: number[] = []
  let cursor: string | null = null
  do {
    const page: Page<'numbers', { row: number }> = await readPage({ limit: 3, cursor }, paging)
    seen.push(...page.numbers.map(({ row }) => row))
    assert.equal(page.total, 7)
    assert.equal(page.hasMore, page.nextCursor !== null)
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(seen, rows)
})

test('items are taken while they have room as they are sent, in bytes', () => {
  const item = { text: '€'.repeat(LISTED_BYTES / 12) }
  assert.equal(takeFitting(Array<typeof item>(10).fill(item)).length, 3)
  assert.equal(takeFitting([]).length, 0)
})

test('the first item is taken however large it is, so that a page always goes on', () => {
  assert.equal(takeFitting(['x'.repeat(2 * LISTED_BYTES), 'y']).length, 1)
})

test('returns the first of many warnings and the number of the others', () => {
  const warnings = Array.from({ length: 80 }, (_, at): Warning => ({ code: `c${at}`, message: 'm', param: null }))
  const limited = limitWarnings(warnings)
  assert.deepEqual(limited.slice(0, 50), warnings.slice(0, 50))
  assert.match(limited[50]?.message ?? '', /^30 more/)
  assert.equal(limited.length, 51)
  assert.deepEqual(limitWarnings(warnings.slice(0, 50)), warnings.slice(0, 50))
})
