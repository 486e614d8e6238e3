import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLane } from './lane.ts'
import type { ChunkRow } from './memory-file.ts'

/** Chunks with nothing in them but a number, and what a commit of them is called. */
function chunks(...numbers: number[]): ChunkRow[] {
  return numbers.map((chunkIndex) => ({
    documentId: 'doc',
    chunkIndex,
    kind: 'document',
    text: '',
    terms: '',
    vector: new Float32Array(1),
    windows: new Int8Array(0),
    startOffset: 0,
    endOffset: 0,
    page: null,
    pageEnd: null,
    section: null,
    header: null,
    labels: [],
  }))
}

function recorder(failing: (numbers: number[]) => boolean = () => false) {
  const commits: number[][] = []
  const lane = createLane(async (rows) => {
    const numbers = rows.map((row) => row.chunkIndex)
    commits.push(numbers)
    if (failing(numbers)) throw new Error(`cannot write ${numbers}`)
  })
  return { lane, commits }
}

test('adds of one turn go in one commit, in their order', async () => {
  const { lane, commits } = recorder()
  await Promise.all([lane.add(chunks(1)), lane.add(chunks(2, 3)), lane.add(chunks(4))])
  assert.deepEqual(commits, [[1, 2, 3, 4]])
})

test('one add that cannot be written fails alone', async () => {
  const { lane, commits } = recorder((numbers) => numbers.includes(2))
  const outcomes = await Promise.allSettled([lane.add(chunks(1)), lane.add(chunks(2)), lane.add(chunks(3))])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(commits, [[1, 2, 3], [1], [2], [3]])
  await lane.add(chunks(5))
})

test('adds count as new while all of their commit are, and never when they are tried again', async () => {
  const commits: boolean[] = []
  let fails = false
  const lane = createLane(async (_, areNew) => {
    commits.push(areNew)
    if (fails && commits.length === 3) throw new Error('cannot write')
  })
  await Promise.all([lane.add(chunks(1), true), lane.add(chunks(2), true)])
  await Promise.all([lane.add(chunks(3), true), lane.add(chunks(4))])
  fails = true
  await Promise.all([lane.add(chunks(5), true), lane.add(chunks(6), true)])
  assert.deepEqual(commits, [true, false, true, false, false])
})

test('a step runs in its turn between the adds before and after it', async () => {
  const { lane, commits } = recorder()
  const step = async () => void commits.push([0])
  await Promise.all([lane.add(chunks(1)), lane.run(step), lane.add(chunks(2))])
  assert.deepEqual(commits, [[1], [0], [2]])
})

test('what is left of a large add is rejected with the others, and not written behind what they made room for', async () => {
  const commits: number[] = []
  const begun = Promise.withResolvers<void>()
  const writing = Promise.withResolvers<void>()
  const lane = createLane(async (rows) => {
    commits.push(rows.length)
    begun.resolve()
    await writing.promise
  })
  const large = lane.add(chunks(...Array.from({ length: 3000 }, (_, number) => number)))
  await begun.promise
  lane.reject(new Error('gone'))
  writing.resolve()
  await assert.rejects(large, /gone/)
  await lane.add(chunks(1))
  assert.equal(commits.length, 2)
})

test('a step that fails rejects its caller only', async () => {
  const { lane } = recorder()
  const failing = lane.run(() => Promise.reject(new Error('no')))
  const after = lane.add(chunks(1))
  await assert.rejects(failing, /no/)
  await after
})

test('a large add is cut, and small adds are written between its pieces', async () => {
  const { lane, commits } = recorder()
  const large = lane.add(chunks(...Array.from({ length: 3000 }, (_, i) => i)))
  const small = lane.add(chunks(9999))
  await Promise.all([large, small])
  assert.ok(commits.every((rows) => rows.length <= 1024))
  assert.equal(commits.flat().length, 3001)
  assert.ok(commits.findIndex((rows) => rows.includes(9999)) < commits.length - 1)
})

test('rejecting what waits leaves what runs alone', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const lane = createLane(() => {
    begin()
    return held
  })
  const running = lane.add(chunks(1))
  await begun
  const waiting = lane.add(chunks(2))
  lane.reject(new Error('dropped'))
  await assert.rejects(waiting, /dropped/)
  release()
  await running
  await lane.idle()
})
