import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../services/caller.ts'
import { createRequestBudget } from './request-budget.ts'

const callerOf = (keyId: string, organizationId = `org of ${keyId}`) => ({ keyId, organizationId }) as Caller

test('a key alone has half of the connections, and another key finds some', () => {
  const budget = createRequestBudget(100)
  const ends = Array.from({ length: 50 }, () => budget.begin(callerOf('a')))
  assert.throws(() => budget.begin(callerOf('a')), { code: 'rate_limited' })
  budget.begin(callerOf('b'))
  for (const end of ends) end()
  budget.begin(callerOf('a'))
})

test('the keys of one organization leave some to others', () => {
  const budget = createRequestBudget(100)
  const fill = () => {
    for (let count = 0; count < 1000; count += 1) budget.begin(callerOf(`key ${count}`, 'org'))
  }
  assert.throws(fill, { code: 'rate_limited' })
  budget.begin(callerOf('b'))
})

test('where there is one connection, its request is let in', () => {
  createRequestBudget(1).begin(callerOf('a'))
})
