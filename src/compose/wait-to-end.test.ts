import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../observability/log.ts'
import { waitToEnd } from './wait-to-end.ts'

test('a step of a stop that lasts is named, one that ends in time is not, and its failure is passed on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const warnings: unknown[] = []
  const warn = (...[, message]: unknown[]) => void warnings.push(message)
  const log: Log = { debug() {}, info() {}, warn, error() {} }
  const { promise, resolve } = Promise.withResolvers<void>()
  const lasting = waitToEnd(log, 'the upkeep of memory files', promise)
  t.mock.timers.tick(5000)
  resolve()
  await lasting
  await waitToEnd(log, 'jobs', Promise.resolve())
  await assert.rejects(waitToEnd(log, 'requests', Promise.reject(new Error('broken'))), /broken/)
  t.mock.timers.tick(5000)
  assert.deepEqual(warnings, ['the stop waits for the upkeep of memory files'])
})
