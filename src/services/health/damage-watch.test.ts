import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckExtent, DatabaseProblem } from '../../database/store.ts'
import { ApiError } from '../../errors.ts'
import { DamageWatch } from './damage-watch.ts'

const PROBLEM: DatabaseProblem = { part: 'table', detail: 'Tree 6 page 6: zero' }

/** A watch over a database with `state.problems`, without a pause between checks. */
function watched(problems: readonly DatabaseProblem[]) {
  const state = { problems, extents: [] as CheckExtent[], errors: 0, looked: Promise.withResolvers<void>() }
  const watch = new DamageWatch({
    intervalMs: 0,
    log: {
      warn() {},
      error() {
        state.errors += 1
      },
    },
    async check(extent) {
      state.extents.push(extent)
      if (extent === 'whole') state.looked.resolve()
      return { problems: state.problems, unchecked: [] }
    },
  })
  return { state, watch }
}

test('reports no damage after a successful first check', async (t) => {
  const { state, watch } = watched([])
  t.after(() => watch.stop())
  await watch.runFirstCheck(1000)
  await watch.requireUndamaged()
  assert.deepEqual(state.extents, ['quick'])
})

test('keeps damage of the first check until a full check succeeds, and logs it once', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(() => watch.stop())
  await watch.runFirstCheck(1000)
  await assert.rejects(watch.requireUndamaged(), { code: 'data_damaged', message: /restore it from a backup/ })
  await state.looked.promise
  await assert.rejects(watch.requireUndamaged(), { code: 'data_damaged' })
  assert.equal(state.errors, 1)
  state.problems = []
  await whenWhole(watch)
  assert.equal(state.extents.at(-1), 'whole')
})

test('records damage met by a statement without a check', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(() => watch.stop())
  await watch.requireUndamaged()
  watch.record(new ApiError('data_damaged', { cause: new Error('malformed') }))
  watch.record(new ApiError('data_damaged', { cause: new Error('malformed') }))
  await assert.rejects(watch.requireUndamaged(), { code: 'data_damaged' })
  assert.equal(state.errors, 1)
})

async function whenWhole(watch: DamageWatch): Promise<void> {
  while (
    await watch.requireUndamaged().then(
      () => false,
      () => true,
    )
  )
    await new Promise(setImmediate)
}

test('ignores broken references', async (t) => {
  const { state, watch } = watched([{ part: 'reference', detail: '1 rows of tags whose row of notes is not there' }])
  t.after(() => watch.stop())
  watch.record(new ApiError('data_damaged', { cause: new Error('a passing read error') }))
  await whenWhole(watch)
  assert.deepEqual([state.errors, state.extents], [1, ['whole']])
})

test('logs a later check only if its problem differs', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(() => watch.stop())
  watch.record(new ApiError('data_damaged', { cause: new Error('malformed') }))
  while (state.extents.length < 3) await new Promise(setImmediate)
  assert.equal(state.errors, 2)
  state.problems = [{ ...PROBLEM, detail: 'Tree 7 page 7: zero' }]
  while (state.errors < 3) await new Promise(setImmediate)
  state.problems = []
  await whenWhole(watch)
  assert.equal(state.errors, 3)
})

test('waits for the pause after a long check before the next one', async (t) => {
  const lookMs = 50
  const begun: number[] = []
  const watch = new DamageWatch({
    intervalMs: 0,
    log: { warn() {}, error() {} },
    async check() {
      begun.push(performance.now())
      await new Promise((resolve) => setTimeout(resolve, lookMs))
      return { problems: [], unchecked: [] }
    },
  })
  t.after(() => watch.stop())
  for (let times = 0; times < 2; times += 1) {
    watch.record(new ApiError('data_damaged', { cause: new Error('could not read block') }))
    await whenWhole(watch)
  }
  const [first = 0, second = 0] = begun
  assert.ok(second - first > 5 * lookMs, `${second - first} ms`)
})

test('limits the wait for a long first check, which continues', async (t) => {
  const long = Promise.withResolvers<{ problems: readonly DatabaseProblem[]; unchecked: readonly string[] }>()
  const watch = new DamageWatch({ intervalMs: 0, log: { warn() {}, error() {} }, check: () => long.promise })
  t.after(() => watch.stop())
  await watch.runFirstCheck(1)
  await watch.requireUndamaged()
  long.resolve({ problems: [PROBLEM], unchecked: [] })
  await long.promise
  await new Promise(setImmediate)
  await assert.rejects(watch.requireUndamaged(), { code: 'data_damaged' })
})

test('keeps the state when a check fails', async (t) => {
  const check = async () => {
    throw new Error('no connection')
  }
  const watch = new DamageWatch({ log: { warn() {}, error: assert.fail }, check })
  t.after(() => watch.stop())
  await watch.runFirstCheck(1000)
  await watch.requireUndamaged()
})
