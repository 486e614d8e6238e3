import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthOf } from './account-service.ts'

test('computes months in UTC, with December ending in the next year', () => {
  assert.deepEqual(monthOf(new Date('2026-11-30T23:59:59.999Z')), {
    key: '2026-11',
    start: '2026-11-01T00:00:00.000Z',
    end: '2026-12-01T00:00:00.000Z',
  })
  assert.equal(monthOf(new Date('2026-12-01T00:00:00.000+01:00')).key, '2026-11')
  assert.equal(monthOf(new Date('2026-12-31T12:00:00.000Z')).end, '2027-01-01T00:00:00.000Z')
})
