import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThreadPool } from './tesseract-recognizer.ts'
import type { TesseractThread } from './tesseract-thread.ts'

type FakeThread = { -readonly [Key in 'pages' | 'isAlive']: TesseractThread[Key] } & Pick<
  TesseractThread,
  'read' | 'end'
>

function setUp(size = 1) {
  const started: FakeThread[] = []
  const start = async () => {
    const thread: FakeThread = {
      pages: 0,
      isAlive: true,
      read: async () => ({ tsv: '' }),
      end: async () => {
        thread.isAlive = false
      },
    }
    started.push(thread)
    return thread
  }
  return { started, pool: createThreadPool({ size, start, recycleAfterPages: 3, idleMs: 60_000 }) }
}

test('an engine is reused until its page limit', async () => {
  const { started, pool } = setUp()
  for (let page = 0; page < 4; page += 1)
    await pool.use(async (thread) => {
      ;(thread as FakeThread).pages += 1
    })
  assert.deepEqual(
    started.map(({ pages, isAlive }) => [pages, isAlive]),
    [
      [3, false],
      [1, true],
    ],
  )
  await pool.close()
  assert.equal(started[1]?.isAlive, false)
})

test('concurrency is limited to the number of engines, first come, first served', async () => {
  const { started, pool } = setUp(2)
  const order: number[] = []
  let most = 0
  let now = 0
  const work = async (index: number) =>
    await pool.use(async () => {
      order.push(index)
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
    })
  await Promise.all([0, 1, 2, 3, 4].map(work))
  assert.deepEqual([order, most, started.length], [[0, 1, 2, 3, 4], 2, 2])
})

test('a broken engine is replaced, and waiting pages are read', async () => {
  const { started, pool } = setUp()
  const broken = pool.use(async (thread) => {
    await thread.end()
    throw new Error('broken')
  })
  const next = pool.use(async (thread) => thread.isAlive)
  await assert.rejects(broken, /broken/)
  assert.equal(await next, true)
  assert.equal(started.length, 2)
})

test('an aborted wait leaves the queue', async () => {
  const { pool } = setUp()
  const hold = Promise.withResolvers<void>()
  const first = pool.use(() => hold.promise)
  const stop = new AbortController()
  const second = pool.use(async () => assert.fail('must not run'), stop.signal)
  const third = pool.use(async () => 'served')
  stop.abort(new Error('gone'))
  await assert.rejects(second, /gone/)
  hold.resolve()
  await first
  assert.equal(await third, 'served')
})

test('an engine that fails to start frees its slot', async () => {
  let starts = 0
  const start = async (): Promise<TesseractThread> => {
    starts += 1
    throw new Error(`start ${starts}`)
  }
  const pool = createThreadPool({ size: 1, start, recycleAfterPages: 3, idleMs: 60_000 })
  await assert.rejects(
    pool.use(async () => 0),
    /start 1/,
  )
  await assert.rejects(
    pool.use(async () => 0),
    /start 2/,
  )
})
