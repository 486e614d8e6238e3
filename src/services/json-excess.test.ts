import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findExcess } from './json-excess.ts'

const isTooDeep = (json: Buffer, maxDepth: number) => findExcess(json, { maxDepth, maxValues: 1e9 }) === 'depth'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('the depth found is that of the parsed value, whatever stands in its strings', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const json = Buffer.from(JSON.stringify(value))
      const depth = depthOf(value)
      assert.equal(isTooDeep(json, depth), false)
      if (depth > 0) assert.equal(isTooDeep(json, depth - 1), true)
    }),
  )
})

test('brackets and escaped quotes in strings do not count', () => {
  assert.equal(isTooDeep(Buffer.from(String.raw`["\"[[[[", "\\", "{{{{\\\""]`), 1), false)
})

test('an unclosed string and 200,000 nested arrays are both answered', () => {
  assert.equal(isTooDeep(Buffer.from('["[[['), 1), false)
  assert.equal(isTooDeep(Buffer.from('['.repeat(200_000)), 64), true)
})

test('a string of backslashes costs linear work', () => {
  const json = Buffer.from(`["${'\\\\'.repeat(500_000)}"]`)
  assert.equal(isTooDeep(json, 1), false)
})

test('as many values as a text may have pass, and one more does not', () => {
  const hasTooMany = (text: string, maxValues: number) =>
    findExcess(Buffer.from(text), { maxDepth: 64, maxValues }) === 'values'
  assert.equal(hasTooMany('[{},{},{}]', 6), false)
  assert.equal(hasTooMany('[{},{},{}]', 5), true)
  assert.equal(hasTooMany('["a,b,c,[[",1]', 2), false)
  assert.equal(hasTooMany(`[${'0,'.repeat(1000)}0]`, 1000), true)
})
