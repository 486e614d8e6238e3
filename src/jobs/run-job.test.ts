import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createProgressWriter, type Progress } from './run-job.ts'

const PAUSE_MS = 500

function start(store?: (progress: Progress) => Promise<void>) {
  const written: string[] = []
  const failures: unknown[] = []
  const writer = createProgressWriter({
    pauseMs: PAUSE_MS,
    store: store ?? (async ({ progress, message }) => void written.push(`${progress} ${message}`)),
    failed: (error) => failures.push(error),
  })
  return { writer, written, failures }
}

/** Lets timers run until `ms` have passed, and what they started. */
async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

test('the first report is written immediately, the latest of the following ones after the pause', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const { writer, written } = start()
  writer.report(1, 'a')
  await pass(0)
  writer.report(2, 'b')
  writer.report(3, 'c')
  await pass(PAUSE_MS - 1)
  assert.deepEqual(written, ['1 a'])
  await pass(1)
  await pass(0)
  assert.deepEqual(written, ['1 a', '3 c'])
})

test('progress is an integer, never decreases and stays below 100', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const { writer, written } = start()
  for (const progress of [40.9, 10, Number.NaN, -5, 250]) {
    writer.report(progress, `said ${progress}`)
    await pass(0)
    await pass(PAUSE_MS)
    await pass(0)
  }
  assert.deepEqual(
    written.map((line) => line.split(' ')[0]),
    ['40', '40', '40', '40', '99'],
  )
})

test('an unchanged report is not written', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const { writer, written } = start()
  for (let time = 0; time < 3; time += 1) {
    writer.report(5, 'same')
    await pass(0)
    await pass(PAUSE_MS)
  }
  assert.deepEqual(written, ['5 same'])
})

test('a failed write is reported, and the next report is written', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  let calls = 0
  const { writer, failures } = start(async () => {
    calls += 1
    if (calls === 1) throw new Error('full')
  })
  writer.report(1, 'a')
  await pass(0)
  writer.report(2, 'b')
  await pass(PAUSE_MS)
  await pass(0)
  assert.deepEqual([calls, failures.length], [2, 1])
})

test('nothing is written after close', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const { writer, written } = start()
  writer.report(1, 'a')
  writer.close()
  writer.report(2, 'b')
  await pass(PAUSE_MS)
  assert.deepEqual(written, [])
})
