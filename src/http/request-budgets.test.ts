import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { QUERY_BUDGET } from '../limits.ts'
import type { Caller } from '../services/caller.ts'
import {
  createQueryBudget,
  createRequestBudget,
  type QueryBudget,
  type QueryShare,
  responseBytes,
  sizeQueryBudget,
} from './request-budgets.ts'

const callerOf = (keyId: string, organizationId = `org of ${keyId}`) => ({ keyId, organizationId }) as Caller
const isRefused = (error: unknown) =>
  error instanceof ApiError && error.code === 'rate_limited' && (error.facts.retryAfterSeconds ?? 0) > 0
const [FIRST, SECOND] = [callerOf('a'), callerOf('b')]
const { requestBytes } = QUERY_BUDGET
const TOTAL = 100 * requestBytes

/** Opens requests of one caller with these reservations. */
function hold(budget: QueryBudget, caller: Caller, ...requests: number[]): QueryShare[] {
  return requests.map((bytes) => {
    const share = budget.open(caller)
    share.reserve(bytes)
    return share
  })
}

test('a key with half of the budget is refused, another key is not', () => {
  const budget = createQueryBudget(TOTAL)
  hold(budget, FIRST, 22 * requestBytes, 22 * requestBytes)
  assert.throws(() => budget.open(FIRST).reserve(10 * requestBytes), isRefused)
  budget.open(SECOND).reserve(20 * requestBytes)
})

test('a full budget refuses everyone with 503', () => {
  const budget = createQueryBudget(TOTAL)
  budget.open(FIRST).holdResponse(TOTAL)
  const isFull = (error: unknown) => error instanceof ApiError && error.status === 503
  assert.throws(() => budget.open(SECOND), isFull)
})

test('released memory can be reserved again, once', () => {
  const budget = createQueryBudget(TOTAL)
  for (const share of hold(budget, FIRST, 22 * requestBytes, 22 * requestBytes)) {
    share.release()
    share.release()
  }
  hold(budget, FIRST, 22 * requestBytes, 22 * requestBytes)
  assert.throws(() => budget.open(FIRST).reserve(10 * requestBytes), isRefused)
})

test('a response holds its real size, not the estimate', () => {
  const budget = createQueryBudget(TOTAL)
  const small = budget.open(FIRST)
  small.reserve(20 * requestBytes)
  small.holdResponse(requestBytes)
  const large = budget.open(FIRST)
  large.reserve(requestBytes)
  large.holdResponse(60 * requestBytes)
  assert.throws(() => budget.open(FIRST), isRefused)
  budget.open(SECOND).reserve(10 * requestBytes)
  large.release()
  budget.open(FIRST).reserve(20 * requestBytes)
})

test('a single request always fits, and uses at most a quarter', () => {
  const budget = createQueryBudget(TOTAL)
  const share = budget.open(FIRST)
  share.reserve(10 * TOTAL)
  share.reserve(10 * TOTAL)
  budget.open(SECOND).reserve(10 * TOTAL)
  budget.open(SECOND).reserve(5 * requestBytes)
})

test('the budget grows with memory, within bounds', () => {
  assert.equal(sizeQueryBudget(0), QUERY_BUDGET.minBytes)
  assert.equal(sizeQueryBudget(4 * 2 ** 30), 4 * 2 ** 30 * QUERY_BUDGET.memoryShare)
  assert.equal(sizeQueryBudget(Number.POSITIVE_INFINITY), QUERY_BUDGET.maxBytes)
})

test('text and images count until they are sent, streams only what is in transit', () => {
  assert.equal(responseBytes({ body: 'x'.repeat(1000) }), 2000)
  assert.equal(responseBytes({ body: Buffer.alloc(1000) }), 1000)
  assert.equal(responseBytes({ body: Readable.from(['x'.repeat(1000)]) }), 0)
  assert.equal(responseBytes({ body: null }), 0)
})

test('a key may use half of the connections, and another key still gets some', () => {
  const budget = createRequestBudget(100)
  const ends = Array.from({ length: 50 }, () => budget.begin(callerOf('a')))
  assert.throws(() => budget.begin(callerOf('a')), { code: 'rate_limited' })
  budget.begin(callerOf('b'))
  for (const end of ends) end()
  budget.begin(callerOf('a'))
})

test('the keys of one organization leave connections to others', () => {
  const budget = createRequestBudget(100)
  const fill = () => {
    for (let count = 0; count < 1000; count += 1) budget.begin(callerOf(`key ${count}`, 'org'))
  }
  assert.throws(fill, { code: 'rate_limited' })
  budget.begin(callerOf('b'))
})

test('with a single connection, its request is accepted', () => {
  createRequestBudget(1).begin(callerOf('a'))
})
