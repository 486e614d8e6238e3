import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFairQueue, namesOf, type QueuedTask } from './fair-queue.ts'
import { createProcessorShares } from './processor-shares.ts'

type NamedTask = QueuedTask & { name: string }

/** A queue on a clock that stands still, and tasks by name: `a1` belongs to key 1 of organization `a`. */
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
  /** The names of those that begin when places become free one by one, each running to its end at once. */
  const order = () => {
    const names: string[] = []
    for (let next = queue.next(); next !== null; next = queue.next()) {
      queue.remove(next)
      names.push(next.name)
    }
    return names
  }
  const charge = (key: string, ms: number) => {
    for (const name of namesOf(task(key))) shares.charge(name, ms)
  }
  const pass = (ms: number) => {
    atMs += ms
  }
  return { queue, task, wait, run, order, charge, pass }
}

describe('the queue for a child', () => {
  it('is in the order of arrival for one key', () => {
    const { queue, task, wait } = openQueue()
    const [first, second] = [task('a1'), task('a1')]
    wait(first, second)
    assert.equal(queue.next(), first)
    queue.remove(first)
    assert.equal(queue.next(), second)
  })

  it('serves the organization with fewer tasks running first, then the key with fewer', () => {
    const { task, wait, run, order } = openQueue()
    run(task('a1'))
    wait(task('a1'), task('a2'), task('b1'))
    assert.deepEqual(order(), ['b1', 'a2', 'a1'])
  })

  it('keeps one place from the requests of each key', () => {
    const { queue, task, wait, run } = openQueue()
    run(task('a1'), task('a1'))
    wait(task('a1'))
    assert.equal(queue.next(), null)
    const other = task('a2')
    wait(other)
    assert.equal(queue.next(), other)
  })

  it('keeps one place from jobs, whoever they belong to, and none from the requests of their key', () => {
    const { queue, task, wait, run } = openQueue()
    run(task('a1', { isBackground: true }), task('b1', { isBackground: true }))
    wait(task('c1', { isBackground: true }))
    assert.equal(queue.next(), null)
    const request = task('a1')
    wait(request)
    assert.equal(queue.next(), request)
  })

  it('has one place for everybody where there is only one', () => {
    const { queue, task, wait } = openQueue(1)
    const job = task('a1', { isBackground: true })
    wait(job)
    assert.equal(queue.next(), job)
  })

  it('lets requests go before jobs of the same key, and what never began before what made way', () => {
    const { queue, task, wait, order } = openQueue()
    const again = { ...task('a1', { restarts: 1 }), name: 'again' }
    wait({ ...task('a1', { isBackground: true }), name: 'job' }, again, { ...task('a1'), name: 'fresh' })
    assert.deepEqual(order(), ['fresh', 'again', 'job'])
    assert.equal(queue.next(), null)
  })

  it('lets who has used more than a share of a minute wait behind the others, until it has drained', () => {
    const { task, wait, run, order, charge, pass } = openQueue()
    charge('a1', 30_000)
    run(task('b1'))
    wait(task('a1'), task('b1'))
    assert.deepEqual(order(), ['b1', 'a1'], 'though b has a task running and a has none')
    pass(31_000)
    wait(task('a1'), task('b1'))
    assert.deepEqual(order(), ['a1', 'b1'])
  })

  it('serves who is over the share at once where nobody else waits', () => {
    const { task, wait, order, charge } = openQueue()
    charge('a1', 1_000_000)
    wait(task('a1'))
    assert.deepEqual(order(), ['a1'])
  })

  it('compares the keys of an organization by their own use', () => {
    const { task, wait, order, charge } = openQueue()
    charge('a1', 30_000)
    wait(task('a1'), task('a2'))
    assert.deepEqual(order(), ['a2', 'a1'])
  })
})

describe('a running task', () => {
  it('is overtaken by a request of another key, and by one of its own key only where that is asked', () => {
    const { queue, task, wait, run } = openQueue(1)
    const running = task('a1')
    run(running)
    wait(task('a1'))
    assert.equal(queue.countOvertaking(running, false), 0)
    assert.equal(queue.countOvertaking(running, true), 1)
    wait(task('b1'), task('a2'))
    assert.equal(queue.countOvertaking(running, false), 2)
  })

  it('is not overtaken by jobs, nor by who has used more', () => {
    const { queue, task, wait, run, charge } = openQueue(1)
    const running = task('a1')
    run(running)
    charge('b1', 30_000)
    wait(task('c1', { isBackground: true }), task('b1'))
    assert.equal(queue.countOvertaking(running, true), 0)
  })
})

describe('shares of processor time', () => {
  it('hold no more than five minutes against an owner, and forget it then', () => {
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
