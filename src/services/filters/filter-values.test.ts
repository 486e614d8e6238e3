import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTime } from './filter-values.ts'

test('dates are ISO 8601, exist, and have years of four digits', () => {
  assert.equal(toTime('2026-02-28'), Date.UTC(2026, 1, 28))
  assert.equal(toTime('2026-02'), Date.UTC(2026, 1, 1))
  assert.equal(toTime('2026-02-28 12:00'), Date.UTC(2026, 1, 28, 12))
  assert.equal(toTime('2026-02-28T12:00:00+02:00'), Date.UTC(2026, 1, 28, 10))
  for (const wrong of ['2026-02-30', '2026-02-30T12:00:00Z', '2025-02-29', '2026-13-01', '2026', '28.02.2026'])
    assert.equal(toTime(wrong), null, wrong)
  for (const far of ['9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00']) assert.equal(toTime(far), null, far)
})
