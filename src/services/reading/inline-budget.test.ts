import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { createInlineBudget, InlineBudgetSpent } from './inline-budget.ts'

const HOUR_MS = 3_600_000

it('is spent by work, all of it together', () => {
  const { signal, meter } = createInlineBudget({ maxWorkMs: 100, maxWaitMs: HOUR_MS })
  meter.addWork(60)
  assert.equal(signal.aborted, false)
  meter.addWork(60)
  assert.ok(signal.reason instanceof InlineBudgetSpent)
})

it('is spent by waiting, also where several tasks wait one after the other', async () => {
  const { signal, meter } = createInlineBudget({ maxWorkMs: HOUR_MS, maxWaitMs: 30 })
  // The budget's timers do not keep a process alive.
  const alive = setInterval(() => undefined, HOUR_MS)
  const endFirst = meter.startWaiting()
  meter.startWaiting()
  endFirst()
  await once(signal, 'abort')
  clearInterval(alive)
  assert.ok(signal.reason instanceof InlineBudgetSpent)
})

it('is not spent by time in which nothing waits', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { signal, meter } = createInlineBudget({ maxWorkMs: 100, maxWaitMs: 1_000 })
  meter.startWaiting()()
  t.mock.timers.tick(HOUR_MS)
  assert.equal(signal.aborted, false)
})
