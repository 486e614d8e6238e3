import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMachineClock } from './node-registry.ts'

const DAY_MS = 24 * 3600 * 1000
const START_MS = Date.parse('2026-11-21T08:00:00.000Z')

function setUp(moveTimes: (byMs: number) => Promise<void> = async () => {}) {
  const machine = { wallMs: START_MS, elapsedMs: 7 }
  const moved: number[] = []
  const clock = createMachineClock({
    shiftDueTimes: async (byMs) => {
      await moveTimes(byMs)
      moved.push(byMs)
    },
    log: { warn() {} },
    wallMs: () => machine.wallMs,
    elapsedMs: () => machine.elapsedMs,
  })
  const pass = (ms: number, wallMs = ms) => {
    machine.elapsedMs += ms
    machine.wallMs += wallMs
  }
  return { clock, moved, pass, passed: () => clock.now().getTime() - START_MS }
}

test("advances with the machine's clock", async () => {
  const { clock, moved, pass, passed } = setUp()
  pass(1000)
  assert.equal(passed(), 1000)
  pass(1000, 1200)
  await clock.sync()
  assert.equal(passed(), 2200)
  assert.deepEqual(moved, [])
})

for (const jumpMs of [DAY_MS, -DAY_MS]) {
  test(`follows a clock set by ${jumpMs / DAY_MS} day after shifting the stored times`, async () => {
    const { clock, moved, pass, passed } = setUp()
    pass(1000, 1000 + jumpMs)
    assert.equal(passed(), 1000)
    await clock.sync()
    assert.deepEqual(moved, [jumpMs])
    pass(1000)
    assert.equal(passed(), 2000 + jumpMs)
    await clock.sync()
    assert.deepEqual(moved, [jumpMs])
  })
}

test('does not follow the clock while the stored times cannot be shifted', async () => {
  const full = { is: true }
  const { clock, moved, pass, passed } = setUp(async () => {
    if (full.is) throw new Error('the disk is full')
  })
  pass(1000, DAY_MS)
  await assert.rejects(clock.sync(), /full/)
  assert.equal(passed(), 1000)
  full.is = false
  await clock.sync()
  assert.deepEqual(moved, [DAY_MS - 1000])
  assert.equal(passed(), DAY_MS)
})
