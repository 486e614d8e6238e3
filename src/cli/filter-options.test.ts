import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { toFilterOption, withFilter } from './filter-options.ts'

function parse(...args: string[]) {
  const command = withFilter(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return toFilterOption(command.parse(args, { from: 'user' }).opts())
}

test('options become a filter, and none become no filter', () => {
  assert.deepEqual(parse(), {})
  assert.deepEqual(parse('--tag', 'a', '--tag', 'b', '--document', 'doc_1', '--source', 'url'), {
    filter: { tags: ['a', 'b'], documentIds: ['doc_1'], sourceType: 'url' },
  })
  assert.deepEqual(parse('--created-after', '2026-01-01', '--created-before', '2026-02-01'), {
    filter: { createdAfter: '2026-01-01', createdBefore: '2026-02-01' },
  })
})

test('metadata is compared in every way, with numbers, booleans and strings', () => {
  assert.deepEqual(parse('--metadata', 'team=people and sales').filter?.metadata, { team: { $eq: 'people and sales' } })
  assert.deepEqual(parse('--metadata', 'url = a=b').filter?.metadata, { url: { $eq: 'a=b' } })
  assert.deepEqual(parse('--metadata', 'year>=2020', '--metadata', 'year<2021.5').filter?.metadata, {
    $and: [{ year: { $gte: 2020 } }, { year: { $lt: 2021.5 } }],
  })
  assert.deepEqual(parse('--metadata', 'code="12"').filter?.metadata, { code: { $eq: '12' } })
  assert.deepEqual(parse('--metadata', 'draft!=true').filter?.metadata, { draft: { $ne: true } })
  assert.deepEqual(parse('--metadata', '{"team":{"$in":["a"]}}').filter?.metadata, { team: { $in: ['a'] } })
})

test('a condition without a comparison and broken JSON are refused', () => {
  for (const text of ['team', '=x', '{"a"', 'x{'])
    assert.throws(() => parse('--metadata', text), /Give key=value|not valid JSON/)
})
