import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../services/caller.ts'
import { type BodyBudget, createBodyBudget, sizeBodyBudget } from './budgets.ts'

const MB = 1024 * 1024
const caller = (keyId: string, organizationId = 'org'): Caller => ({
  organizationId,
  keyId,
  keyName: null,
  scope: 'organization',
  memoryId: null,
  planId: 'unlimited',
})

/** Opens bodies of so many bytes until one is refused; gives how many there are, and the code of the refusal. */
function fill(budget: BodyBudget, by: Caller, bytes: number): { bodies: number; code: string } {
  for (let bodies = 0; ; bodies += 1) {
    const share = budget.open(by)
    try {
      for (let left = bytes; left > 0; left -= 64 * 1024) share.take(Math.min(left, 64 * 1024))
    } catch (error) {
      share.release()
      assert.ok(error instanceof ApiError)
      return { bodies, code: error.code }
    }
  }
}

test('one body of the largest fits beside small ones wherever it is, and several where there is much memory', () => {
  const sizes = [512 * MB, 4096 * MB, 2 ** 40].map(sizeBodyBudget)
  assert.deepEqual(
    sizes.map(({ largeBytes }) => largeBytes),
    [160 * MB, 256 * MB, 900 * MB],
  )
  assert.deepEqual(
    sizes.map(({ smallBytes }) => smallBytes),
    [32 * MB, 128 * MB, 256 * MB],
  )
})

test('bodies that never end take a bounded share, whatever their size, and small ones of other keys get in', () => {
  for (const bytes of [1000, 200_000, 2_900_000, 100 * MB]) {
    const sizes = sizeBodyBudget(1536 * MB)
    const budget = createBodyBudget(sizes)
    const { code } = fill(budget, caller('greedy'), bytes)
    assert.equal(code, 'rate_limited')
    assert.ok(budget.used() <= sizes.smallBytes / 2 + sizes.largeBytes, `${bytes}: ${budget.used()}`)
    for (const other of ['a', 'b', 'c']) budget.open(caller(other)).take(100_000)
    budget.open(caller('d', 'other organization')).take(100_000)
  }
})

test('the keys of one organization together leave room for those of another', () => {
  const budget = createBodyBudget(sizeBodyBudget(1536 * MB))
  for (let key = 0; key < 100; key += 1) fill(budget, caller(`key ${key}`), 2_900_000)
  const other = fill(budget, caller('other', 'other organization'), 100_000)
  assert.ok(other.bodies >= 40, String(other.bodies))
})

test('a body that is announced takes nothing before it comes', () => {
  const budget = createBodyBudget({ smallBytes: MB, largeBytes: 5 * MB, keyBytes: 5 * MB })
  for (let count = 0; count < 700; count += 1) budget.open(caller('idle')).requireRoom(4 * MB)
  assert.equal(budget.used(), 0)
  assert.throws(() => budget.open(caller('idle')).requireRoom(6 * MB), { code: 'service_unavailable' })
})

test('a small body is let in while large ones of the same key and of others take their shares', () => {
  const budget = createBodyBudget({ smallBytes: 8 * MB, largeBytes: 12 * MB, keyBytes: MB })
  const [own, other] = [caller('own'), caller('other', 'other organization')]
  for (let count = 0; count < 5; count += 1) budget.open(own).take(MB)
  for (let count = 0; count < 3; count += 1) budget.open(other).take(MB)
  assert.throws(() => budget.open(own).requireRoom(2 * MB), { code: 'rate_limited' })
  const small = budget.open(own)
  small.requireRoom(1000)
  small.take(1000)
})
