import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGroupCommitQueue } from './group-commit.ts'

const LIMIT = { items: 1024, bytes: 2 ** 20 } as const

function createQueue(commit: (items: readonly number[], areNew: boolean) => Promise<void>) {
  return createGroupCommitQueue<number>({ commit, bytesOf: () => 4, limit: LIMIT })
}

function recorder(failing: (numbers: number[]) => boolean = () => false) {
  const commits: number[][] = []
  const queue = createQueue(async (rows) => {
    const numbers = [...rows]
    commits.push(numbers)
    if (failing(numbers)) throw new Error(`cannot write ${numbers}`)
  })
  return { queue, commits }
}

test('adds of one turn go in one commit, in their order', async () => {
  const { queue, commits } = recorder()
  await Promise.all([queue.add([1]), queue.add([2, 3]), queue.add([4])])
  assert.deepEqual(commits, [[1, 2, 3, 4]])
})

test('one add that cannot be written fails alone', async () => {
  const { queue, commits } = recorder((numbers) => numbers.includes(2))
  const outcomes = await Promise.allSettled([queue.add([1]), queue.add([2]), queue.add([3])])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(commits, [[1, 2, 3], [1], [2], [3]])
  await queue.add([5])
})

test('adds count as new while all of their commit are, and never when they are tried again', async () => {
  const commits: boolean[] = []
  let fails = false
  const queue = createQueue(async (_, areNew) => {
    commits.push(areNew)
    if (fails && commits.length === 3) throw new Error('cannot write')
  })
  await Promise.all([queue.add([1], true), queue.add([2], true)])
  await Promise.all([queue.add([3], true), queue.add([4])])
  fails = true
  await Promise.all([queue.add([5], true), queue.add([6], true)])
  assert.deepEqual(commits, [true, false, true, false, false])
})

test('a step runs in its turn between the adds before and after it', async () => {
  const { queue, commits } = recorder()
  const step = async () => void commits.push([0])
  await Promise.all([queue.add([1]), queue.run(step), queue.add([2])])
  assert.deepEqual(commits, [[1], [0], [2]])
})

test('what is left of a large add is rejected with the others, and not written behind what they made room for', async () => {
  const commits: number[] = []
  const begun = Promise.withResolvers<void>()
  const writing = Promise.withResolvers<void>()
  const queue = createQueue(async (rows) => {
    commits.push(rows.length)
    begun.resolve()
    await writing.promise
  })
  const large = queue.add(Array.from({ length: 3000 }, (_, number) => number))
  await begun.promise
  queue.reject(new Error('gone'))
  writing.resolve()
  await assert.rejects(large, /gone/)
  await queue.add([1])
  assert.equal(commits.length, 2)
})

test('a step that fails rejects its caller only', async () => {
  const { queue } = recorder()
  const failing = queue.run(() => Promise.reject(new Error('no')))
  const after = queue.add([1])
  await assert.rejects(failing, /no/)
  await after
})

test('a large add is cut, and small adds are written between its pieces', async () => {
  const { queue, commits } = recorder()
  const large = queue.add(Array.from({ length: 3000 }, (_, i) => i))
  const small = queue.add([9999])
  await Promise.all([large, small])
  assert.ok(commits.every((rows) => rows.length <= 1024))
  assert.equal(commits.flat().length, 3001)
  assert.ok(commits.findIndex((rows) => rows.includes(9999)) < commits.length - 1)
})

test('rejecting what waits leaves what runs alone', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const queue = createQueue(() => {
    begin()
    return held
  })
  const running = queue.add([1])
  await begun
  const waiting = queue.add([2])
  queue.reject(new Error('dropped'))
  await assert.rejects(waiting, /dropped/)
  release()
  await running
  await queue.idle()
})
