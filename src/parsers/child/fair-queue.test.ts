import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFairQueue, getAccountNames, getQuantumMs, type QueuedTask } from './fair-queue.ts'
import { createProcessorShares } from './processor-shares.ts'

type NamedTask = QueuedTask & { name: string }

/**
 * Creates a queue with a stopped clock, and tasks by name: `a1` belongs to key 1 of organization
 * `a`.
 */
function openQueue(places = 3) {
  let atMs = 0
  const shares = createProcessorShares({ shareMs: 20_000, now: () => atMs })
  const queue = createFairQueue<NamedTask>({ places, shares })
  const task = (key: string, facts: Partial<QueuedTask> = {}): NamedTask => {
    const owner = { organizationId: key.charAt(0), keyId: key }
    return { name: key, owner, isBackground: false, restarts: 0, ...facts }
  }
  const wait = (...tasks: NamedTask[]) => {
    for (const one of tasks) queue.add(one)
  }
  const run = (...tasks: NamedTask[]) => {
    for (const one of tasks) queue.begin(one)
  }
  /** Returns the tasks in the order in which they start, each ending immediately. */
  const order = () => {
    const names: string[] = []
    for (let next = queue.next(); next !== null; next = queue.next()) {
      queue.remove(next)
      names.push(next.name)
    }
    return names
  }
  const charge = (key: string, ms: number) => {
    for (const name of getAccountNames(task(key))) shares.charge(name, ms)
  }
  const pass = (ms: number) => {
    atMs += ms
  }
  return { queue, task, wait, run, order, charge, pass }
}

describe('the queue for a child', () => {
  it('keeps the order of arrival within a key', () => {
    const { queue, task, wait } = openQueue()
    const [first, second] = [task('a1'), task('a1')]
    wait(first, second)
    assert.equal(queue.next(), first)
    queue.remove(first)
    assert.equal(queue.next(), second)
  })

  it('prefers organizations, then keys, with fewer running tasks', () => {
    const { task, wait, run, order } = openQueue()
    run(task('a1'))
    wait(task('a1'), task('a2'), task('b1'))
    assert.deepEqual(order(), ['b1', 'a2', 'a1'])
  })

  it('reserves a slot from the requests of each key', () => {
    const { queue, task, wait, run } = openQueue()
    run(task('a1'), task('a1'))
    wait(task('a1'))
    assert.equal(queue.next(), null)
    const other = task('a2')
    wait(other)
    assert.equal(queue.next(), other)
  })

  it('reserves a slot from jobs, but not from requests of their key', () => {
    const { queue, task, wait, run } = openQueue()
    run(task('a1', { isBackground: true }), task('b1', { isBackground: true }))
    wait(task('c1', { isBackground: true }))
    assert.equal(queue.next(), null)
    const request = task('a1')
    wait(request)
    assert.equal(queue.next(), request)
  })

  it('gives the only slot to anyone', () => {
    const { queue, task, wait } = openQueue(1)
    const job = task('a1', { isBackground: true })
    wait(job)
    assert.equal(queue.next(), job)
  })

  it('prefers requests over jobs of a key, and new over restarted tasks', () => {
    const { queue, task, wait, order } = openQueue()
    const again = { ...task('a1', { restarts: 1 }), name: 'again' }
    wait({ ...task('a1', { isBackground: true }), name: 'job' }, again, { ...task('a1'), name: 'fresh' })
    assert.deepEqual(order(), ['fresh', 'again', 'job'])
    assert.equal(queue.next(), null)
  })

  it('ranks owners over their share last until it drains', () => {
    const { task, wait, run, order, charge, pass } = openQueue()
    charge('a1', 30_000)
    run(task('b1'))
    wait(task('a1'), task('b1'))
    assert.deepEqual(order(), ['b1', 'a1'], 'though b has a task running and a has none')
    pass(31_000)
    wait(task('a1'), task('b1'))
    assert.deepEqual(order(), ['a1', 'b1'])
  })

  it('serves owners over their share immediately if nobody waits', () => {
    const { task, wait, order, charge } = openQueue()
    charge('a1', 1_000_000)
    wait(task('a1'))
    assert.deepEqual(order(), ['a1'])
  })

  it('compares keys of an organization by their own use', () => {
    const { task, wait, order, charge } = openQueue()
    charge('a1', 30_000)
    wait(task('a1'), task('a2'))
    assert.deepEqual(order(), ['a2', 'a1'])
  })
})

describe('a running task', () => {
  it('is overtaken by prior tasks of any key after its quantum', () => {
    const { queue, task, wait, run } = openQueue(1)
    const running = task('a1')
    run(running)
    wait(task('a1'), task('b1'), task('a2'))
    assert.equal(queue.countPriorClaims(running, false), 0)
    assert.equal(queue.countPriorClaims(running, true), 3)
  })

  it('is overtaken earlier by owners within their share, if its own owner is over', () => {
    const { queue, task, wait, run, charge } = openQueue(1)
    const running = task('a1')
    run(running)
    charge('a1', 30_000)
    charge('c1', 25_000)
    wait(task('a1'), task('a2'), task('b1'), task('c1'))
    assert.equal(queue.countPriorClaims(running, false), 2, 'a2 and b1')
  })

  it('is not overtaken by jobs or by heavier users', () => {
    const { queue, task, wait, run, charge } = openQueue(1)
    const running = task('a1')
    run(running)
    charge('b1', 30_000)
    wait(task('c1', { isBackground: true }), task('b1'))
    assert.equal(queue.countPriorClaims(running, true), 0)
  })
})

const QUANTUM_MS = 500
const STEP_MS = 100
type WorkingTask = NamedTask & { needMs: number; workedMs: number; endedMs: number | null }

/**
 * Simulates simultaneous tasks over `places` as in a pool, each on its own core, restarting from
 * nothing after each yield.
 */
function simulate(needs: readonly { key: string; needMs: number; usedMs?: number }[], places: number) {
  const { queue, task, run, charge, pass } = openQueue(places)
  const tasks = needs.map(({ key, needMs }): WorkingTask => ({ ...task(key), needMs, workedMs: 0, endedMs: null }))
  for (const { key, usedMs = 0 } of needs) charge(key, usedMs)
  for (const one of tasks) queue.add(one)
  const running = new Set<WorkingTask>()
  const leave = (one: WorkingTask) => {
    running.delete(one)
    queue.end(one)
  }
  const makeWay = (one: WorkingTask) => {
    leave(one)
    one.restarts++
    one.workedMs = 0
    queue.add(one)
  }
  for (let nowMs = 0; nowMs < 120_000 && tasks.some(({ endedMs }) => endedMs === null); nowMs += STEP_MS) {
    for (let next = queue.next(); next !== null && running.size < places; next = queue.next()) {
      queue.remove(next)
      run(next)
      running.add(next as WorkingTask)
    }
    pass(STEP_MS)
    let yielding = 0
    for (const one of running) {
      one.workedMs += STEP_MS
      charge(one.name, STEP_MS)
      if (one.workedMs >= one.needMs) {
        leave(one)
        one.endedMs = nowMs + STEP_MS
      } else if (one.workedMs >= QUANTUM_MS) {
        const hadItsTime = one.workedMs >= getQuantumMs(QUANTUM_MS, one)
        if (queue.countPriorClaims(one, hadItsTime) > yielding && ++yielding) makeWay(one)
      }
    }
  }
  return tasks
}

describe('tasks of several owners over time', () => {
  for (const places of [1, 2, 3, 4]) {
    for (const more of [1, 2, 5]) {
      it(`all end, each of ${places + more} owners after few restarts, with ${places} places`, () => {
        const needs = Array.from({ length: places + more }, (_, index) => ({
          key: `${'abcdefghi'[index]}1`,
          needMs: 2_000,
        }))
        const tasks = simulate(needs, places)
        assert.ok(tasks.every(({ endedMs }) => endedMs !== null))
        assert.ok(Math.max(...tasks.map(({ restarts }) => restarts)) <= 2)
      })
    }
  }

  it('all end if every owner is over the share', () => {
    const needs = ['a1', 'b1', 'c1', 'd1', 'e1'].map((key) => ({ key, needMs: 5_000, usedMs: 60_000 }))
    const tasks = simulate(needs, 3)
    assert.ok(tasks.every(({ endedMs, restarts }) => endedMs !== null && restarts <= 3))
  })

  it('yield immediately to owners within the share, after any number of restarts', () => {
    const hostile = ['a1', 'a2', 'b1', 'b2'].map((key) => ({ key, needMs: 60_000, usedMs: 90_000 }))
    const tasks = simulate([...hostile, { key: 'c1', needMs: 400 }], 3)
    const { queue, task, wait, run, charge } = openQueue(1)
    assert.ok((tasks.at(-1)?.endedMs ?? Number.POSITIVE_INFINITY) <= 500)
    const running = task('a1', { restarts: 10 })
    charge('a1', 90_000)
    run(running)
    wait(task('b1'))
    assert.equal(queue.countPriorClaims(running, false), 1)
  })
})

describe('shares of processor time', () => {
  it('count at most five minutes against an owner', () => {
    let atMs = 0
    const shares = createProcessorShares({ shareMs: 20_000, now: () => atMs })
    shares.charge('a', 10_000_000)
    assert.equal(shares.used('a'), 100_000)
    assert.ok(shares.isOver('a'))
    atMs = 5 * 60_000
    assert.equal(shares.used('a'), 0)
    assert.equal(shares.used('b'), 0)
  })
})
