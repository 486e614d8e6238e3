import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { QUERY_BUDGET } from '../limits.ts'
import type { Caller } from '../service/caller.ts'
import { createQueryBudget, sizeQueryBudget } from './query-budget.ts'

const callerOf = (keyId: string) => ({ keyId, organizationId: `org of ${keyId}` }) as Caller
const isRefused = (error: unknown) =>
  error instanceof ApiError && error.code === 'rate_limited' && (error.facts.retryAfterSeconds ?? 0) > 0
const [FIRST, SECOND] = [callerOf('a'), callerOf('b')]
const { requestBytes } = QUERY_BUDGET
const TOTAL = 100 * requestBytes

test('a key that holds half of the budget is refused, and the next key is not', () => {
  const budget = createQueryBudget(TOTAL)
  budget.open(FIRST).take(45 * requestBytes)
  assert.throws(() => budget.open(FIRST).take(10 * requestBytes), isRefused)
  budget.open(SECOND).take(20 * requestBytes)
})

test('where everything is taken everybody is refused with 503', () => {
  const budget = createQueryBudget(TOTAL)
  budget.open(FIRST).settle(TOTAL)
  const isFull = (error: unknown) => error instanceof ApiError && error.status === 503
  assert.throws(() => budget.open(SECOND), isFull)
})

test('what is given back can be taken again, once', () => {
  const budget = createQueryBudget(TOTAL)
  const share = budget.open(FIRST)
  share.take(45 * requestBytes)
  share.release()
  share.release()
  budget.open(FIRST).take(45 * requestBytes)
  assert.throws(() => budget.open(FIRST).take(10 * requestBytes), isRefused)
})

test('an answer holds what it has, whatever its query was thought to take', () => {
  const budget = createQueryBudget(TOTAL)
  const small = budget.open(FIRST)
  small.take(40 * requestBytes)
  small.settle(requestBytes)
  const large = budget.open(FIRST)
  large.take(requestBytes)
  large.settle(60 * requestBytes)
  assert.throws(() => budget.open(FIRST), isRefused)
  budget.open(SECOND).take(10 * requestBytes)
  large.release()
  budget.open(FIRST).take(30 * requestBytes)
})

test('a process with much memory has a larger budget, within limits', () => {
  assert.equal(sizeQueryBudget(0), QUERY_BUDGET.minBytes)
  assert.equal(sizeQueryBudget(4 * 2 ** 30), 4 * 2 ** 30 * QUERY_BUDGET.memoryShare)
  assert.equal(sizeQueryBudget(Number.POSITIVE_INFINITY), QUERY_BUDGET.maxBytes)
})
