import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWorkMs } from './watch-child.ts'

test('a child on a loaded machine has worked as long as it had a processor', () => {
  assert.equal(countWorkMs(100, 20), 20)
})

test('several threads work no longer than time goes by', () => {
  assert.equal(countWorkMs(100, 190), 100)
})

test('a child that does nothing is not waited for without end', () => {
  assert.equal(countWorkMs(100, 0), 100)
})

test('time counts where the system does not say what was worked', () => {
  assert.equal(countWorkMs(100, null), 100)
})
