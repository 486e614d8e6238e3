import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseConcurrency } from './worker.ts'

const GIGABYTE = 1024 ** 3

test('a process runs as many jobs as fit in memory, and at least one', () => {
  const at = (gigabytes: number) =>
    chooseConcurrency({ cores: 16, memoryBytes: gigabytes * GIGABYTE, servesRequests: false })
  assert.deepEqual([0.25, 1, 2, 3, 4, 5, 64].map(at), [1, 1, 1, 2, 3, 4, 4])
})

test('a process with requests runs two jobs, a process without requests one per core', () => {
  const at = (cores: number, servesRequests: boolean) =>
    chooseConcurrency({ cores, memoryBytes: 64 * GIGABYTE, servesRequests })
  assert.deepEqual([at(1, true), at(16, true), at(1, false), at(3, false)], [2, 2, 2, 3])
})
