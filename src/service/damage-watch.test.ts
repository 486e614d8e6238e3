import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import type { CheckExtent, DatabaseProblem } from '../store/database-check.ts'
import { createDamageWatch } from './damage-watch.ts'

const PROBLEM: DatabaseProblem = { part: 'table', detail: 'Tree 6 page 6: zero' }

/** A watch over a database of which `state.problems` are wrong; it looks again at once. */
function watched(problems: readonly DatabaseProblem[]) {
  const state = { problems, extents: [] as CheckExtent[], errors: 0, looked: Promise.withResolvers<void>() }
  const watch = createDamageWatch({
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
  t.after(watch.stop)
  await watch.lookFirst(1000)
  await watch.requireWhole()
  assert.deepEqual(state.extents, ['quick'])
})

test('damage that the first look finds stands until a whole look finds none, and is logged once', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(watch.stop)
  await watch.lookFirst(1000)
  await assert.rejects(watch.requireWhole(), { code: 'data_damaged', message: /restore it from a backup/ })
  await state.looked.promise
  await assert.rejects(watch.requireWhole(), { code: 'data_damaged' })
  assert.equal(state.errors, 1)
  state.problems = []
  while (
    await watch.requireWhole().then(
      () => false,
      () => true,
    )
  )
    await new Promise(setImmediate)
  assert.equal(state.extents.at(-1), 'whole')
})

test('damage that a statement meets stands although nobody looked', async (t) => {
  const { state, watch } = watched([PROBLEM])
  t.after(watch.stop)
  await watch.requireWhole()
  watch.note(new ApiError('data_damaged', { cause: new Error('malformed') }))
  watch.note(new ApiError('data_damaged', { cause: new Error('malformed') }))
  await assert.rejects(watch.requireWhole(), { code: 'data_damaged' })
  assert.equal(state.errors, 1)
})

test('a start waits no longer for a long look, which goes on beside it', async (t) => {
  const long = Promise.withResolvers<{ problems: readonly DatabaseProblem[]; unchecked: readonly string[] }>()
  const watch = createDamageWatch({ pauseMs: 0, log: { warn() {}, error() {} }, check: () => long.promise })
  t.after(watch.stop)
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
  const watch = createDamageWatch({ log: { warn() {}, error: assert.fail }, check })
  t.after(watch.stop)
  await watch.lookFirst(1000)
  await watch.requireWhole()
})
