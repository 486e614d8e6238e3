import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairBudget, type FairBudget, type Holder } from './fair-budget.ts'

const holder = (id: string, groupId = id): Holder => ({ id, groupId })

/** Takes one at a time until it is refused. */
function takeAll(budget: FairBudget, of: Holder): number {
  const reservation = budget.open(of)
  let taken = 0
  while (reservation.take(1) === null) taken += 1
  return taken
}

test('one holder gets half, the next half of what is left, and whoever comes then finds something', () => {
  const budget = createFairBudget({ total: 1000 })
  assert.deepEqual([takeAll(budget, holder('a')), takeAll(budget, holder('b'))], [500, 250])
  assert.ok(takeAll(budget, holder('c')) > 100)
  assert.ok(budget.used() < 1000)
})

test('the holders of one group leave a quarter to other groups', () => {
  const budget = createFairBudget({ total: 1000 })
  for (let key = 0; key < 50; key += 1) takeAll(budget, holder(`key ${key}`, 'one organization'))
  assert.equal(budget.used(), 750)
  assert.equal(takeAll(budget, holder('other')), 125)
})

test('a holder may have the least share whatever is left, but no more than there is', () => {
  const budget = createFairBudget({ total: 100, leastShare: 80 })
  const first = budget.open(holder('a'))
  assert.equal(first.take(80), null)
  assert.equal(first.take(1), 'share')
  const second = budget.open(holder('b'))
  assert.equal(second.take(20), null)
  assert.equal(second.refuses(1), 'total')
})

test('what is given back can be taken again, and is given back once', () => {
  const budget = createFairBudget({ total: 10 })
  const first = budget.open(holder('a'))
  first.take(5)
  first.release()
  first.release()
  assert.equal(budget.used(), 0)
  assert.equal(takeAll(budget, holder('b')), 5)
})

test('the total may change while something is taken', () => {
  let total = 10
  const budget = createFairBudget({ total: () => total })
  assert.equal(takeAll(budget, holder('a')), 5)
  total = 20
  assert.equal(takeAll(budget, holder('a')), 5)
})
