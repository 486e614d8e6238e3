import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairBudget, type FairBudget, type Holder } from './fair-budget.ts'

const holder = (id: string, groupId = id): Holder => ({ id, groupId })

/** Reserves one at a time until a refusal. */
function takeAll(budget: FairBudget, of: Holder): number {
  const reservation = budget.open(of)
  let taken = 0
  while (reservation.reserve(1) === null) taken += 1
  return taken
}

test('a holder gets half, the next one half of the rest, and a newcomer still gets a share', () => {
  const budget = createFairBudget({ total: 1000 })
  assert.deepEqual([takeAll(budget, holder('a')), takeAll(budget, holder('b'))], [500, 250])
  assert.ok(takeAll(budget, holder('c')) > 100)
  assert.ok(budget.reserved() < 1000)
})

test('the holders of a group leave a quarter to other groups', () => {
  const budget = createFairBudget({ total: 1000 })
  for (let key = 0; key < 50; key += 1) takeAll(budget, holder(`key ${key}`, 'one organization'))
  assert.equal(budget.reserved(), 750)
  assert.equal(takeAll(budget, holder('other')), 125)
})

test('a holder may always have the minimum share, up to the total', () => {
  const budget = createFairBudget({ total: 100, minShare: 80 })
  const first = budget.open(holder('a'))
  assert.equal(first.reserve(80), null)
  assert.equal(first.reserve(1), 'share')
  const second = budget.open(holder('b'))
  assert.equal(second.reserve(20), null)
  assert.equal(second.check(1), 'total')
})

test('released amounts can be reserved again, and are released once', () => {
  const budget = createFairBudget({ total: 10 })
  const first = budget.open(holder('a'))
  first.reserve(5)
  first.release()
  first.release()
  assert.equal(budget.reserved(), 0)
  assert.equal(takeAll(budget, holder('b')), 5)
})

test('the total may change during a reservation', () => {
  let total = 10
  const budget = createFairBudget({ total: () => total })
  assert.equal(takeAll(budget, holder('a')), 5)
  total = 20
  assert.equal(takeAll(budget, holder('a')), 5)
})
