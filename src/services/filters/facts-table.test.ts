import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Filter } from '../../api/document.ts'
import type { Metadata } from '../../api/fields.ts'
import { ApiError } from '../../errors.ts'
import { FILTER } from '../../limits.ts'
import { listDocuments } from '../../memory-file/chunk-predicate.ts'
import { createFactsTable } from './facts-table.ts'
import { readFilter } from './read-filter.ts'

const FACTS: Record<string, Metadata> = {
  a: { year: 2019, team: 'sales', due: '2026-03-01', open: true },
  b: { year: 2021.5, team: 'people', due: '2026-03-01T12:00:00+02:00', note: null },
  c: { year: '2020', team: 'Sales', due: '2026-03' },
  d: { team: 'B\u0075\u0308cher' },
}

function select(filter: Filter): string {
  const table = createFactsTable()
  for (const [id, metadata] of Object.entries(FACTS)) {
    const createdAt = `2026-01-0${id.charCodeAt(0) - 96}T00:00:00.000Z`
    table.put({ id, tags: id < 'c' ? ['x', id] : ['y'], metadata, sourceType: id === 'd' ? 'url' : 'text', createdAt })
  }
  const read = readFilter(filter, 'filter')
  return read === null ? 'all' : listDocuments(table.select(read)).join('')
}

const METADATA: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['a value is equal', { team: 'sales' }, 'a'],
  ['however accents are written', { team: 'Bücher' }, 'd'],
  ['types differ', { year: 2020 }, ''],
  ['null is a value', { note: null }, 'b'],
  ['booleans are equal', { open: { $eq: true } }, 'a'],
  ['numbers compare as numbers', { year: { $gte: 2019, $lt: 2021.6 } }, 'ab'],
  ['texts compare as texts', { team: { $gt: 'Sales', $lte: 'sales' } }, 'ab'],
  ['dates compare as times, whatever their form', { due: { $gt: '2026-03-01' } }, 'b'],
  ['a month is its first day', { due: { $lte: '2026-03-01T00:00:00Z' } }, 'ac'],
  ['equal times are equal', { due: { $in: ['2026-03-01T10:00Z', 7] } }, 'b'],
  ['not equal includes an absent key', { year: { $ne: 2019 } }, 'bcd'],
  ['none of some includes an absent key', { team: { $nin: ['sales', 'Sales'] } }, 'bd'],
  ['a key exists, also with null', { note: { $exists: true } }, 'b'],
  ['a key is absent', { note: { $exists: false } }, 'acd'],
  ['all keys must match', { team: 'sales', year: { $gt: 2020 } }, ''],
  ['one of several', { $or: [{ team: 'sales' }, { note: { $exists: true } }] }, 'ab'],
  ['all of several, and others', { $and: [{ open: true }, { year: 2019 }], team: 'sales' }, 'a'],
  ['no match of an object', { $not: { $or: [{ team: 'sales' }, { team: 'Sales' }] } }, 'bd'],
  ['inherited names are absent', { constructor: { $exists: true } }, ''],
]

describe('a filter of metadata', () => {
  for (const [name, metadata, expected] of METADATA)
    it(`matches: ${name}`, () => assert.equal(select({ metadata }), expected))
})

describe('a filter', () => {
  it('combines tags, documents, source and times, all of which must match', () => {
    assert.equal(select({}), 'all')
    assert.equal(select({ tags: ['x'] }), 'ab')
    assert.equal(select({ tags: ['x', 'b'] }), 'b')
    assert.equal(select({ documentIds: ['c', 'a', 'q'] }), 'ac')
    assert.equal(select({ documentIds: [] }), '')
    assert.equal(select({ sourceType: 'url' }), 'd')
    assert.equal(select({ createdAfter: '2026-01-01', createdBefore: '2026-01-04T00:00:00Z' }), 'bc')
    assert.equal(select({ createdAfter: '2026-01-02T01:00:00+02:00', tags: ['x'] }), 'b')
  })

  it('compares the last facts of a document', () => {
    const table = createFactsTable()
    const facts = { id: 'a', tags: [], sourceType: 'text', createdAt: '2026-01-01T00:00:00.000Z' }
    table.put({ ...facts, metadata: { team: 'sales' } })
    table.put({ ...facts, metadata: {} })
    const select = (metadata: Record<string, unknown>) =>
      table.select(readFilter({ metadata }, 'filter') ?? assert.fail()).size
    assert.deepEqual([select({ team: 'sales' }), select({ team: { $exists: false } })], [0, 1])
  })
})

const KNOWN = '$eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists'
const deep = (levels: number): Record<string, unknown> => (levels === 0 ? { a: 1 } : { $not: deep(levels - 1) })
const WRONG: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ a: { $near: 1 } }, `metadata.a.$near is not a known operator; operators of a key are ${KNOWN}`],
  [{ $nor: [] }, 'metadata.$nor is not a known operator; operators beside keys are $and, $or, $not'],
  [{ $gt: 1 }, 'metadata.$gt is no operator here; operators beside keys are $and, $or, $not'],
  [{ a: { $not: { $gt: 1 } } }, `metadata.a.$not is no operator here; operators of a key are ${KNOWN}`],
  [{ a: {} }, `metadata.a must have an operator: ${KNOWN}`],
  [{ a: [1] }, 'metadata.a must be a value or an object of operators'],
  [{ a: { $gt: true } }, 'metadata.a.$gt must be a number, a date or another string'],
  [{ a: { $eq: { b: 1 } } }, 'metadata.a.$eq must be a string, number, boolean or null'],
  [{ a: { $in: 1 } }, 'metadata.a.$in must be an array of values'],
  [{ a: { $in: [[]] } }, 'metadata.a.$in[0] must be a string, number, boolean or null'],
  [{ a: { $exists: 1 } }, 'metadata.a.$exists must be true or false'],
  [{ $or: [] }, 'metadata.$or must be a non-empty array of objects'],
  [{ $and: [{}] }, 'metadata.$and[0] must be an object with a condition'],
  [{ $not: [] }, 'metadata.$not must be an object with a condition'],
  [{ a: 'x'.repeat(2001) }, 'metadata.a must have at most 2000 characters'],
  [deep(FILTER.depth + 1), `must not be nested deeper than ${FILTER.depth} groups`],
  [{ a: { $in: Array(FILTER.values + 1).fill(1) } }, `metadata.a.$in must have at most ${FILTER.values} values`],
  [
    Object.fromEntries(Array.from({ length: FILTER.conditions + 1 }, (_, i) => [`k${i}`, 1])),
    `metadata.k100 is one of more than ${FILTER.conditions} conditions`,
  ],
]

describe('a wrong filter is refused with its place', () => {
  for (const [metadata, message] of WRONG)
    it(message, () =>
      assert.throws(
        () => select({ metadata }),
        (error: unknown) =>
          error instanceof ApiError && error.code === 'validation_failed' && error.message.includes(message),
      ),
    )
  it('a time', () => assert.throws(() => select({ createdAfter: 'yesterday' }), /filter.createdAfter must be an ISO/))
  it('the deepest allowed groups are accepted', () =>
    assert.equal(typeof select({ metadata: { ...deep(FILTER.depth) } }), 'string'))
})
