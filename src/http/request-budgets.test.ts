import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { QUERY_BUDGET } from '../limits.ts'
import type { Caller } from '../services/caller.ts'
import {
  answerBytes,
  createQueryBudget,
  createRequestBudget,
  type QueryBudget,
  type QueryShare,
  sizeQueryBudget,
} from './request-budgets.ts'

const callerOf = (keyId: string, organizationId = `org of ${keyId}`) => ({ keyId, organizationId }) as Caller
const isRefused = (error: unknown) =>
  error instanceof ApiError && error.code === 'rate_limited' && (error.facts.retryAfterSeconds ?? 0) > 0
const [FIRST, SECOND] = [callerOf('a'), callerOf('b')]
const { requestBytes } = QUERY_BUDGET
const TOTAL = 100 * requestBytes

/** Requests of one caller that take so much each, until one is refused. */
function hold(budget: QueryBudget, caller: Caller, ...requests: number[]): QueryShare[] {
  return requests.map((bytes) => {
    const share = budget.open(caller)
    share.take(bytes)
    return share
  })
}

test('a key that holds half of the budget is refused, and the next key is not', () => {
  const budget = createQueryBudget(TOTAL)
  hold(budget, FIRST, 22 * requestBytes, 22 * requestBytes)
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
  for (const share of hold(budget, FIRST, 22 * requestBytes, 22 * requestBytes)) {
    share.release()
    share.release()
  }
  hold(budget, FIRST, 22 * requestBytes, 22 * requestBytes)
  assert.throws(() => budget.open(FIRST).take(10 * requestBytes), isRefused)
})

test('an answer holds what it has, whatever its query was thought to take', () => {
  const budget = createQueryBudget(TOTAL)
  const small = budget.open(FIRST)
  small.take(20 * requestBytes)
  small.settle(requestBytes)
  const large = budget.open(FIRST)
  large.take(requestBytes)
  large.settle(60 * requestBytes)
  assert.throws(() => budget.open(FIRST), isRefused)
  budget.open(SECOND).take(10 * requestBytes)
  large.release()
  budget.open(FIRST).take(20 * requestBytes)
})

test('a request alone gets in, however much it may hold, and no request takes more than a quarter', () => {
  const budget = createQueryBudget(TOTAL)
  const share = budget.open(FIRST)
  share.take(10 * TOTAL)
  share.take(10 * TOTAL)
  budget.open(SECOND).take(10 * TOTAL)
  budget.open(SECOND).take(5 * requestBytes)
})

test('a process with much memory has a larger budget, within limits', () => {
  assert.equal(sizeQueryBudget(0), QUERY_BUDGET.minBytes)
  assert.equal(sizeQueryBudget(4 * 2 ** 30), 4 * 2 ** 30 * QUERY_BUDGET.memoryShare)
  assert.equal(sizeQueryBudget(Number.POSITIVE_INFINITY), QUERY_BUDGET.maxBytes)
})

test('texts and pictures hold what they have until they have gone out, and streams only what is on its way', () => {
  assert.equal(answerBytes({ body: 'x'.repeat(1000) }), 2000)
  assert.equal(answerBytes({ body: Buffer.alloc(1000) }), 1000)
  assert.equal(answerBytes({ body: Readable.from(['x'.repeat(1000)]) }), 0)
  assert.equal(answerBytes({ body: null }), 0)
})

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
