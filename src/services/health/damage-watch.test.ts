import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckExtent, DatabaseProblem } from '../../database/store.ts'
import { ApiError } from '../../errors.ts'
import { DamageWatch } from './damage-watch.ts'

const PROBLEM: DatabaseProblem = { part: 'table', detail: 'Tree 6 page 6: zero' }

/** A watch over a database of which `state.problems` are wrong; it looks again at once. */
function watched(problems: readonly DatabaseProblem[]) {
  const state = { problems, extents: [] as CheckExtent[], errors: 0, looked: Promise.withResolvers<void>() }
  const watch = new DamageWatch({
    pauseMs: 0,
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

test('a database that the first look finds whole is whole', async (t) => {
  const { state, watch } = watched([])
  t.after(() => watch.stop())
  await watch.lookFirst(1000)
  await watch.requireWhole()
  assert.deepEqual(state.extents, ['quick'])
})

test('damage that the first look finds stands until a whole look finds none, and is logged once', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(() => watch.stop())
  await watch.lookFirst(1000)
  await assert.rejects(watch.requireWhole(), { code: 'data_damaged', message: /restore it from a backup/ })
  await state.looked.promise
  await assert.rejects(watch.requireWhole(), { code: 'data_damaged' })
  assert.equal(state.errors, 1)
  state.problems = []
  await whenWhole(watch)
  assert.equal(state.extents.at(-1), 'whole')
})

test('damage that a statement meets stands although nobody looked', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(() => watch.stop())
  await watch.requireWhole()
  watch.note(new ApiError('data_damaged', { cause: new Error('malformed') }))
  watch.note(new ApiError('data_damaged', { cause: new Error('malformed') }))
  await assert.rejects(watch.requireWhole(), { code: 'data_damaged' })
  assert.equal(state.errors, 1)
})

async function whenWhole(watch: DamageWatch): Promise<void> {
  while (
    await watch.requireWhole().then(
      () => false,
      () => true,
    )
  )
    await new Promise(setImmediate)
}

test('rows without their other half do not keep down what was ready with them', async (t) => {
  const { state, watch } = watched([{ part: 'reference', detail: '1 rows of tags whose row of notes is not there' }])
  t.after(() => watch.stop())
  watch.note(new ApiError('data_damaged', { cause: new Error('a passing read error') }))
  await whenWhole(watch)
  assert.deepEqual([state.errors, state.extents], [1, ['whole']])
})

test('what a later look finds is logged when it is something else', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(() => watch.stop())
  watch.note(new ApiError('data_damaged', { cause: new Error('malformed') }))
  while (state.extents.length < 3) await new Promise(setImmediate)
  assert.equal(state.errors, 2)
  state.problems = [{ ...PROBLEM, detail: 'Tree 7 page 7: zero' }]
  while (state.errors < 3) await new Promise(setImmediate)
  state.problems = []
  await whenWhole(watch)
  assert.equal(state.errors, 3)
})

test('damage that is noted soon after a long look sets off no other before the pause', async (t) => {
  const lookMs = 50
  const begun: number[] = []
  const watch = new DamageWatch({
    pauseMs: 0,
    log: { warn() {}, error() {} },
    async check() {
      begun.push(performance.now())
      await new Promise((resolve) => setTimeout(resolve, lookMs))
      return { problems: [], unchecked: [] }
    },
  })
  t.after(() => watch.stop())
  for (let times = 0; times < 2; times += 1) {
    watch.note(new ApiError('data_damaged', { cause: new Error('could not read block') }))
    await whenWhole(watch)
  }
  const [first = 0, second = 0] = begun
  assert.ok(second - first > 5 * lookMs, `${second - first} ms`)
})

test('a start waits no longer for a long look, which goes on beside it', async (t) => {
  const long = Promise.withResolvers<{ problems: readonly DatabaseProblem[]; unchecked: readonly string[] }>()
  const watch = new DamageWatch({ pauseMs: 0, log: { warn() {}, error() {} }, check: () => long.promise })
  t.after(() => watch.stop())
  await watch.lookFirst(1)
  await watch.requireWhole()
  long.resolve({ problems: [PROBLEM], unchecked: [] })
  await long.promise
  await new Promise(setImmediate)
  await assert.rejects(watch.requireWhole(), { code: 'data_damaged' })
})

test('a database that cannot be looked at counts as it did before', async (t) => {
  const check = async () => {
    throw new Error('no connection')
  }
  const watch = new DamageWatch({ log: { warn() {}, error: assert.fail }, check })
  t.after(() => watch.stop())
  await watch.lookFirst(1000)
  await watch.requireWhole()
})
