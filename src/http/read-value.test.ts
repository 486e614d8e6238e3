import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ApiError } from '../errors.ts'
import { readBody, readQuery } from './read-value.ts'

const SCHEMA = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 5 }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  options: Type.Optional(
    Type.Object({
      boost: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10 })),
      mode: Type.Optional(Type.Enum(['a', 'b'])),
    }),
  ),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      maxProperties: 2,
      propertyNames: { maxLength: 10 },
    }),
  ),
})

function wrongFields(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'validation_failed')
    return Object.fromEntries((error.facts.details ?? []).map(({ param, message }) => [param, message]))
  }
  return assert.fail('nothing was refused')
}

test('every invalid field is named by its path with the expected value', () => {
  const body = { query: '', limit: 101, options: { boost: 0, mode: 'c' }, tags: [1, 'x'], metadata: { k: {} } }
  assert.deepEqual(
    wrongFields(() => readBody(SCHEMA, body)),
    {
      query: 'must be a non-empty string of at most 5 characters',
      limit: 'must be an integer from 1 to 100',
      'options.boost': 'must be a number above 0 and at most 10',
      'options.mode': 'must be one of a, b',
      'tags[0]': 'must be a string',
      'metadata.k': 'must be a string or a number or true or false or null',
    },
  )
})

test('a record with a name that is too long is rejected, and the name is not repeated', () => {
  const body = { query: 'q', metadata: { 'longer than ten': 1 } }
  const message =
    'must be a flat object of at most 2 fields with names of at most 10 characters whose values are ' +
    'strings, numbers, booleans or null'
  assert.deepEqual(
    wrongFields(() => readBody(SCHEMA, body)),
    { metadata: message },
  )
})

test('a missing field and an absent body name the required fields', () => {
  const expected = { query: 'is required and must be a non-empty string of at most 5 characters' }
  assert.deepEqual(
    wrongFields(() => readBody(SCHEMA, undefined)),
    expected,
  )
  assert.deepEqual(
    wrongFields(() => readBody(SCHEMA, { query: null })),
    expected,
  )
})

test('null counts as absent for an optional field', () => {
  assert.deepEqual(readBody(SCHEMA, { query: 'q', limit: null, options: { boost: null } }).value, {
    query: 'q',
    options: {},
  })
})

test('unknown fields are dropped and named by their path', () => {
  const { value, warnings } = readBody(SCHEMA, { query: 'q', foo: 1, options: { bar: 2 } })
  assert.deepEqual(value, { query: 'q', options: {} })
  assert.deepEqual(
    warnings.map(({ code, param }) => [code, param]),
    [
      ['unknown_field', 'options.bar'],
      ['unknown_field', 'foo'],
    ],
  )
})

test('the first unknown fields are named, further ones are counted', () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`f${index}`, 1]))
  const { warnings } = readBody(SCHEMA, { query: 'q', ...many, options: many })
  assert.equal(warnings.length, 51)
  assert.deepEqual(warnings.at(-1), {
    code: 'unknown_field',
    message: '110 more unknown fields were ignored.',
    param: null,
  })
})

test('values are converted in a query string, not in a body', () => {
  assert.deepEqual(
    wrongFields(() => readBody(SCHEMA, { query: 'q', limit: '10' })),
    {
      limit: 'must be an integer from 1 to 100',
    },
  )
  const read = readQuery(SCHEMA, { query: 'q', limit: '10', tags: '', lmit: '3' })
  assert.deepEqual([read.value, read.warnings.map(({ param }) => param)], [{ query: 'q', limit: 10 }, ['lmit']])
  assert.deepEqual(Object.keys(wrongFields(() => readQuery(SCHEMA, { query: ['q', 'r'], limit: '1e1' })) as object), [
    'query',
    'limit',
  ])
})

test('hostile names and lengths give a plain value and a short response', () => {
  const body = JSON.parse('{"query":"q","__proto__":{"x":1},"constructor":1,"metadata":{"__proto__":"m"}}')
  const { value } = readBody(SCHEMA, body)
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.deepEqual(Object.keys(value.metadata ?? {}), ['__proto__'])
  const long = { query: 'q', tags: new Array(1_000_000).fill(0) }
  assert.deepEqual(
    wrongFields(() => readBody(SCHEMA, long)),
    { tags: 'must be an array of at most 3 strings' },
  )
})

test('a date-time must exist: no 30 February, no hour 24, no year 10000 in UTC', () => {
  const schema = Type.Object({ at: Type.String({ format: 'date-time' }) })
  for (const at of ['2028-02-29T23:59:59.999Z', '2027-01-31t12:00:00+14:00']) {
    assert.deepEqual(readBody(schema, { at }).value, { at })
  }
  const days = ['2027-02-29', '2027-02-30', '2027-04-31'].map((day) => `${day}T00:00:00Z`)
  for (const at of [...days, '2027-01-31T24:00:00Z', '9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00']) {
    assert.deepEqual(
      wrongFields(() => readBody(schema, { at })),
      { at: 'must be an ISO 8601 timestamp with a time zone, such as 2027-01-31T12:00:00Z' },
    )
  }
})

test('the error of a formatted string shows an example', () => {
  const schema = Type.Object({ span: Type.String({ pattern: '^\\d+-\\d+$', examples: ['3-12'] }) })
  assert.deepEqual(
    wrongFields(() => readBody(schema, { span: 'all' })),
    { span: 'must be in the format 3-12' },
  )
})

test('a body that is not an object is rejected as a whole', () => {
  for (const body of [[], 'text', 1, true]) {
    assert.throws(() => readBody(SCHEMA, body), { message: 'The body must be an object' })
  }
})

test('accepts the same values as an independent validator', () => {
  const value = fc.record(
    {
      query: fc.oneof(fc.string({ maxLength: 8 }), fc.integer()),
      limit: fc.oneof(fc.integer({ min: -2, max: 120 }), fc.double(), fc.string()),
      options: fc.oneof(fc.record({ boost: fc.double() }, { requiredKeys: [] }), fc.jsonValue()),
      tags: fc.oneof(fc.array(fc.string(), { maxLength: 4 }), fc.jsonValue()),
      metadata: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(value, (generated) => {
      const sent = dropNulls(JSON.parse(JSON.stringify(generated)))
      let taken = true
      try {
        readBody(SCHEMA, sent)
      } catch {
        taken = false
      }
      assert.equal(taken, Value.Check(SCHEMA, sent))
    }),
  )
})

function dropNulls(value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([, field]) => field !== null)
  const options = value['options']
  const plain = Object.fromEntries(kept)
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) {
    plain['options'] = Object.fromEntries(Object.entries(options).filter(([, field]) => field !== null))
  }
  return plain
}
