import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSemaphore } from './semaphore.ts'

/** Work that ends when `end` is called. */
function openWork() {
  const end = Promise.withResolvers<string>()
  const work = {
    begun: false,
    end: end.resolve,
    run() {
      work.begun = true
      return end.promise
    },
  }
  return work
}

test('no more than so many are under way, and who waits goes on in the order of coming', async () => {
  const { run } = createSemaphore(2)
  const works = Array.from({ length: 4 }, openWork)
  const ends = works.map((work) => run(work.run))
  await nextTurn()
  assert.deepEqual(
    works.map(({ begun }) => begun),
    [true, true, false, false],
  )
  works[1]?.end('second')
  assert.equal(await ends[1], 'second')
  await nextTurn()
  assert.deepEqual(
    works.map(({ begun }) => begun),
    [true, true, true, false],
  )
  for (const work of works) work.end('end')
  assert.deepEqual(await Promise.all(ends), ['end', 'second', 'end', 'end'])
})

test('a work that fails makes room for the next', async () => {
  const { run } = createSemaphore(1)
  const first = run(() => Promise.reject(new Error('no')))
  const second = run(async () => 'second')
  await assert.rejects(first, /no/)
  assert.equal(await second, 'second')
})

test('a work whose signal is aborted while it waits is never begun, and holds nobody up', async () => {
  const { run } = createSemaphore(1)
  const [first, second, third] = [openWork(), openWork(), openWork()]
  const ends = [run(first.run)]
  const leaving = new AbortController()
  const left = run(second.run, { signal: leaving.signal })
  ends.push(run(third.run))
  leaving.abort(new Error('left'))
  await assert.rejects(left, /left/)
  first.end('first')
  third.end('third')
  assert.deepEqual(await Promise.all(ends), ['first', 'third'])
  assert.equal(second.begun, false)
  await assert.rejects(run(second.run, { signal: AbortSignal.abort(new Error('long gone')) }), /long gone/)
})

test('whenever a signal is aborted, also just as the turn has come, those behind have theirs', async () => {
  for (let delay = 0; delay < 12; delay += 1) {
    const { run } = createSemaphore(1)
    const [first, second] = [openWork(), openWork()]
    void run(first.run)
    const leaving = new AbortController()
    const left = run(second.run, { signal: leaving.signal }).catch(() => 'left')
    const behind = [run(async () => 'third'), run(async () => 'fourth')]
    first.end('first')
    for (let turn = 0; turn < delay; turn += 1) await Promise.resolve()
    const hadBegun = second.begun
    leaving.abort(new Error('left'))
    second.end('second')
    assert.deepEqual(await Promise.all(behind), ['third', 'fourth'], `after ${delay}`)
    assert.deepEqual([await left, second.begun], hadBegun ? ['second', true] : ['left', false], `after ${delay}`)
  }
})

test('a heavy share waits for its whole weight, and lighter work does not overtake it', async () => {
  const { run, take } = createSemaphore(3)
  const giveBack = await take(2)
  const order: string[] = []
  const heavy = take(2).then((end) => {
    order.push('heavy')
    end()
  })
  const light = run(async () => order.push('light'))
  await nextTurn()
  assert.deepEqual(order, [])
  giveBack()
  await Promise.all([heavy, light])
  assert.deepEqual(order, ['heavy', 'light'])
})

test('a share larger than the semaphore is the whole semaphore', async () => {
  const { run, take } = createSemaphore(2)
  const giveBack = await take(100)
  const begun: string[] = []
  const ends = ['first', 'second'].map((name) => run(async () => begun.push(name)))
  await nextTurn()
  assert.deepEqual(begun, [])
  giveBack()
  await Promise.all(ends)
  assert.deepEqual(begun, ['first', 'second'])
})
