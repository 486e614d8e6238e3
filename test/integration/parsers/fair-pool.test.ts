import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createParserPool,
  type ParserPool,
  type ParserPoolOptions,
  type TaskLimits,
} from '../../../src/parsers/child/parser-pool.ts'

const TYPE = { format: 'pdf', mimeType: 'application/pdf', encoding: null }
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const MB = 1024 * 1024
const HANGING = { path: 'hang', bytes: 1, filename: null, declaredType: null }

const stop = { current: new AbortController() }
const pools: ParserPool[] = []

function makePool(options: Partial<ParserPoolOptions>): ParserPool {
  const tasksModule = new URL('./hostile-tasks.ts', import.meta.url).href
  const pool = createParserPool({ size: 1, tasksModule, temporaryDirectory: tmpdir(), log: SILENT, ...options })
  pools.push(pool)
  return pool
}

function forKey(key: string, limits: TaskLimits = {}): TaskLimits {
  return { owner: { organizationId: key.charAt(0), keyId: key }, signal: stop.current.signal, ...limits }
}

/**
 * Starts an endless task; resolves when a child works on the task. `ended` resolves when the task
 * was stopped.
 */
async function hang(pool: ParserPool, limits: TaskLimits): Promise<{ ended: Promise<void> }> {
  const events = pool.parse(HANGING, TYPE, limits)
  await events.next()
  const ended = assert.rejects(async () => {
    for await (const _ of events);
  }, /the test is over/)
  return { ended }
}

describe('a pool that several owners share', () => {
  afterEach(async () => {
    stop.current.abort(new Error('the test is over'))
    for (const pool of pools.splice(0)) await pool.close()
    stop.current = new AbortController()
  })

  it('has a child for another key while one key has hanging files of any number', async () => {
    const pool = makePool({ size: 2 })
    const hanging = [await hang(pool, forKey('a1'))]
    const waiting = assert.rejects(pool.run('misbehave', 'hang', forKey('a1')), /the test is over/)
    assert.equal(await pool.run('echo', 'of another key', forKey('a2')), 'of another key')
    assert.equal(await pool.run('echo', 'of another organization', forKey('b1')), 'of another organization')
    stop.current.abort(new Error('the test is over'))
    await Promise.all([...hanging.map(({ ended }) => ended), waiting])
  })

  it('has a child for requests while jobs hang, also for those of the same key', async () => {
    const pool = makePool({ size: 2 })
    const job = { isBackground: true }
    const { ended } = await hang(pool, forKey('a1', job))
    const waiting = assert.rejects(pool.run('misbehave', 'hang', forKey('b1', job)), /the test is over/)
    assert.equal(await pool.run('echo', 1, forKey('a1')), 1)
    stop.current.abort(new Error('the test is over'))
    await Promise.all([ended, waiting])
  })

  it('preempts a request after its time slice for a waiting one, and restarts it later', {
    timeout: 60_000,
  }, async () => {
    const pool = makePool({ quantumMs: 100 })
    const pages: number[] = []
    let restarts = 0
    const onRestart = () => {
      restarts++
      pages.length = 0
    }
    const reading = assert.rejects(async () => {
      const events = pool.parse(HANGING, TYPE, forKey('a1', { onRestart }))
      for await (const event of events) if ('page' in event) pages.push(event.page.page)
    }, /the test is over/)
    while (pages.length < 3) await sleep(10)
    assert.equal(await pool.run('echo', 'of the same key', forKey('a1')), 'of the same key')
    while (pages.length < 3) await sleep(10)
    assert.equal(await pool.run('echo', 'of another', forKey('b1')), 'of another')
    while (pages.length < 3) await sleep(10)
    assert.deepEqual([restarts, pages], [2, [1, 2, 3]])
    stop.current.abort(new Error('the test is over'))
    await reading
  })

  it('never preempts a job, nor a reading whose events cannot be withdrawn', async () => {
    for (const isBackground of [true, false]) {
      const pool = makePool({ quantumMs: 1 })
      const cancel = new AbortController()
      let workedMs = 0
      const addWork = (ms: number) => {
        workedMs += ms
      }
      const meter = { startWaiting: () => () => undefined, addWork }
      const { ended } = await hang(pool, forKey('a1', { isBackground, meter, signal: cancel.signal }))
      let isServed = false
      const waiting = pool.run('echo', 1, forKey('b1')).then(() => {
        isServed = true
      })
      while (workedMs < 800) await sleep(10)
      assert.equal(isServed, false)
      cancel.abort(new Error('the test is over'))
      await Promise.all([ended, waiting])
    }
  })

  it('reports the cost of a task and its waiting time', async () => {
    const pool = makePool({})
    const told = { workMs: 0, waits: 0, waiting: 0 }
    const meter = {
      addWork(ms: number) {
        told.workMs += ms
      },
      startWaiting() {
        told.waits++
        told.waiting++
        return () => void told.waiting--
      },
    }
    const cancel = new AbortController()
    const hanging = assert.rejects(pool.run('misbehave', 'hang', forKey('a1', { meter, signal: cancel.signal })))
    while (told.workMs < 300) await sleep(10)
    cancel.abort()
    await hanging
    assert.deepEqual([told.waits, told.waiting], [1, 0])
  })

  it('repeats a task in a fresh child when earlier tasks had filled the memory', async () => {
    const pool = makePool({ maxBytes: 600 * MB, recycleAtBytes: 10_000 * MB })
    const told: string[] = []
    const limits = { onLimitExceeded: (sentence: string) => void told.push(sentence) }
    const sizes = { bytes: 350 * MB, waitsAtBytes: 600 * MB }
    const first = await pool.run('grow', sizes, forKey('a1', limits))
    const second = await pool.run('grow', sizes, forKey('b1', limits))
    assert.notEqual(second, first)
    assert.deepEqual(told, [])
  })

  it('takes no file for too large whose text had come already when the memory of a used child was full', async () => {
    const pool = makePool({ maxBytes: 600 * MB, recycleAtBytes: 10_000 * MB })
    const told: string[] = []
    await pool.run('grow', { bytes: 350 * MB, waitsAtBytes: 600 * MB }, forKey('a1'))
    const cuts: string[] = []
    const onLimitExceeded = (sentence: string) => void told.push(sentence)
    const events = pool.parse({ ...HANGING, path: 'eat' }, TYPE, forKey('b1', { onLimitExceeded }))
    for await (const event of events) if ('cut' in event) cuts.push(event.cut)
    assert.match(cuts.join(), /600 MB of memory/)
    assert.deepEqual(told, [])
  })

  it('reports a task that also exceeds the memory of a fresh child', async () => {
    const pool = makePool({ maxBytes: 250 * MB })
    const told: string[] = []
    await pool.run('echo', 1, forKey('a1'))
    await assert.rejects(pool.run('misbehave', 'eat', { onLimitExceeded: (sentence) => void told.push(sentence) }))
    assert.match(told.join(), /^Reading the file took more than 250 MB of memory and was stopped\.$/)
  })

  it('reports a task over its time limit, and nothing when the task itself failed', async () => {
    const pool = makePool({})
    const told: string[] = []
    const limits = { onLimitExceeded: (sentence: string) => void told.push(sentence) }
    await assert.rejects(pool.run('misbehave', 'throw', limits))
    await assert.rejects(pool.run('misbehave', 'refuse', limits))
    assert.deepEqual(told, [])
    await assert.rejects(pool.run('misbehave', 'hang', { ...limits, timeoutMs: 300 }))
    assert.match(told.join(), /^Reading the file took more than 0 s and was stopped\.$/)
  })
})
