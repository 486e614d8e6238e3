import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { ApiError } from '../../../src/errors.ts'
import { createParserPool, type ParserPool, type ParserPoolOptions } from '../../../src/parsers/child/parser-pool.ts'
import { createProcessPool } from '../../../src/parsers/child/process-pool.ts'
import { createProcessorShares } from '../../../src/parsers/child/processor-shares.ts'
import { getProcessorMs, watchChild } from '../../../src/parsers/child/watch-child.ts'
import type { ParseEvent } from '../../../src/parsers/parse-event.ts'
import { createSandboxMonitor } from '../../../src/parsers/sandbox/sandbox-monitor.ts'

const MB = 1024 * 1024
const TYPE = { format: 'pdf', mimeType: 'application/pdf', encoding: null }
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const pools: ParserPool[] = []

function makePool(options: Partial<ParserPoolOptions> = {}): ParserPool {
  const tasksModule = new URL('./hostile-tasks.ts', import.meta.url).href
  const pool = createParserPool({ size: 1, tasksModule, temporaryDirectory: tmpdir(), log: silent, ...options })
  pools.push(pool)
  return pool
}

function file(path: string) {
  return { path, bytes: 1, filename: null, declaredType: null }
}

type Collected = { pages: number; cut: string | null; error: unknown }

async function collect(events: AsyncIterable<ParseEvent>): Promise<Collected> {
  const collected: Collected = { pages: 0, cut: null, error: null }
  try {
    for await (const event of events) {
      assert.equal(collected.cut, null, 'something came after the cut')
      if ('page' in event) collected.pages++
      if ('cut' in event) collected.cut = event.cut
    }
  } catch (error) {
    collected.error = error
  }
  return collected
}

type Surroundings = { environment: Record<string, string>; pid: number; execArgv: string[] }

async function surroundings(pool: ParserPool): Promise<Surroundings> {
  return (await pool.run('surroundings', null)) as Surroundings
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie process still has its number.
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
}

/** A minute is more than any machine needs. */
async function waitUntilGone(pid: number): Promise<void> {
  for (let looks = 0; isAlive(pid) && looks < 6000; looks++) await sleep(10)
  assert.ok(!isAlive(pid), 'the process still runs')
}

function assertUnprocessable(error: unknown, pattern: RegExp): void {
  assert.ok(error instanceof ApiError, String(error))
  assert.equal(error.code, 'unprocessable_document')
  assert.match(error.message, pattern)
}

describe('a pool of parser processes', () => {
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })

  it('gives the events of a file in their order', async () => {
    const events: ParseEvent[] = []
    for await (const event of makePool().parse(file('behave'), TYPE)) events.push(event)
    assert.deepEqual(
      events.map((event) => ('block' in event ? event.block.text : 'page' in event ? event.page.page : null)),
      ['page 1\n', 1, 'page 2\n', 2, 'page 3\n', 3],
    )
  })

  it('keeps the pages before an endless loop, and says how long it waited', async () => {
    const read = await collect(makePool({ parseTimeoutMs: 1000 }).parse(file('hang'), TYPE))
    const cut = 'Reading the file took more than 1 s and was stopped after 3 pages.'
    assert.deepEqual(read, { pages: 3, cut, error: null })
  })

  it('keeps the pages before a flood of memory, and says where its limit is', async () => {
    const read = await collect(makePool({ maxBytes: 250 * MB, pollMs: 20 }).parse(file('eat'), TYPE))
    const cut = 'Reading the file took more than 250 MB of memory and was stopped after 3 pages.'
    assert.deepEqual(read, { pages: 3, cut, error: null })
  })

  it('keeps the pages before the process dies', async () => {
    const read = await collect(makePool().parse(file('die'), TYPE))
    const cut = 'Reading the file failed after 3 pages: the parser process crashed.'
    assert.deepEqual(read, { pages: 3, cut, error: null })
  })

  it('keeps text that came without pages before the process dies', async () => {
    const events: ParseEvent[] = []
    for await (const event of makePool().parse(file('block die'), TYPE)) events.push(event)
    assert.deepEqual(events.slice(128), [{ cut: 'Reading the file failed: the parser process crashed.' }])
  })

  it('refuses the whole file where nothing came before the process died', async () => {
    for (const fault of ['early die', 'count die']) {
      const { cut, error } = await collect(makePool().parse(file(fault), TYPE))
      assert.equal(cut, null)
      assertUnprocessable(error, /^Reading the file failed: the parser process crashed\.$/)
    }
  })

  it('passes on what a reader says of a file', async () => {
    const { pages, cut, error } = await collect(makePool().parse(file('refuse'), TYPE))
    assert.deepEqual([pages, cut], [3, null])
    assertUnprocessable(error, /^The file is password protected\.$/)
  })

  for (const fault of ['throw', 'throw later']) {
    it(`takes a reader's fault for a damaged file: ${fault}`, async () => {
      const { cut } = await collect(makePool().parse(file(fault), TYPE))
      assert.equal(cut, 'Reading the file failed after 3 pages: unexpected content; the file may be damaged.')
      assertUnprocessable(
        (await collect(makePool().parse(file(`early ${fault}`), TYPE))).error,
        /failed: unexpected content/,
      )
    })
  }

  it('does the next task after each of these', async () => {
    const pool = makePool()
    for (const fault of ['die', 'throw', 'throw later', 'refuse']) {
      await assert.rejects(pool.run('misbehave', fault), ApiError)
      assert.deepEqual(await pool.run('echo', { fault }), { fault })
    }
  })

  it('carries bytes there and back', async () => {
    const answer = (await makePool().run('echo', { data: Buffer.from([1, 2, 255]) })) as { data: Uint8Array }
    assert.deepEqual([...answer.data], [1, 2, 255])
  })

  for (const [what, isWorking] of [
    ['waits for its caller', false],
    ['works', true],
  ] as const) {
    it(`counts the time of a child that ${what}: ${isWorking}`, async () => {
      let killed = 0
      const child = { pid: null, served: () => 0, isWorking: () => isWorking, kill: () => killed++ }
      const stop = watchChild(child, { timeoutMs: 20, maxBytes: MB, pollMs: 1, signal: undefined })
      for (let waitedMs = 0; waitedMs < 60 || (isWorking && killed === 0); waitedMs++) await sleep(1)
      stop()
      assert.equal(killed > 0, isWorking)
    })
  }

  it('does not count time in which the child waited for this busy process', async () => {
    let isWorking = false
    let killed = 0
    const { port1: heard, port2: said } = new MessageChannel()
    heard.on('message', () => {
      isWorking = false
    })
    const child = { pid: null, served: () => 0, isWorking: () => isWorking, kill: () => void killed++ }
    const stop = watchChild(child, { timeoutMs: 50, maxBytes: MB, pollMs: 1, signal: undefined })
    for (let batch = 0; batch < 20; batch++) {
      isWorking = true
      said.postMessage('the next batch is there already')
      for (const busyUntil = performance.now() + 10; performance.now() < busyUntil; );
      await sleep(0)
    }
    stop()
    heard.close()
    assert.equal(killed, 0)
  })

  it('reads the processor time of a process, and null after its end', {
    skip: !existsSync('/proc/self/stat'),
  }, async () => {
    const before = await getProcessorMs(process.pid)
    assert.ok(before !== null)
    for (const { user } = process.cpuUsage(); process.cpuUsage().user - user < 100_000; );
    const after = await getProcessorMs(process.pid)
    assert.ok(after !== null && after - before >= 80, `${before} ${after}`)
    assert.equal(await getProcessorMs(2 ** 30), null)
  })

  it('leaves no process behind when the service is killed', async () => {
    const service = fork(new URL('./pool-process.ts', import.meta.url), { stdio: 'ignore', execArgv: [] })
    const [pid] = (await once(service, 'message')) as [number]
    service.kill('SIGKILL')
    await waitUntilGone(pid)
  })

  it('ends a cancelled task and its process', async () => {
    const pool = makePool()
    const { pid } = await surroundings(pool)
    const cancel = new AbortController()
    const reading = collect(pool.parse(file('hang'), TYPE, { signal: cancel.signal }))
    await sleep(50)
    cancel.abort(new Error('the caller left'))
    assert.equal(String((await reading).error), 'Error: the caller left')
    await waitUntilGone(pid)
  })

  it('releases a cancelled task that waits for a child', async () => {
    const pool = makePool()
    const first = collect(pool.parse(file('hang'), TYPE))
    const cancel = new AbortController()
    const second = pool.run('echo', 1, { signal: cancel.signal })
    cancel.abort(new Error('the caller left'))
    await assert.rejects(second, /the caller left/)
    await pool.close()
    assert.ok((await first).error !== null)
  })

  it('takes no document for cut because the service stops', async () => {
    const pool = makePool()
    const events = pool.parse(file('hang'), TYPE)
    await events.next()
    await pool.close()
    const { cut, error } = await collect(events)
    assert.equal(cut, null)
    assert.ok(error instanceof ApiError && error.code === 'service_unavailable')
  })

  it('ends the process of a caller who stops listening', async () => {
    const pool = makePool()
    const { pid } = await surroundings(pool)
    for await (const _ of pool.parse(file('hang'), TYPE)) break
    await waitUntilGone(pid)
    assert.equal(await pool.run('echo', 1), 1)
  })

  it('hides its environment from its children', async () => {
    process.env['RECOLLECT_TEST_SECRET'] = 'a secret'
    try {
      const { environment, execArgv } = await surroundings(makePool({ environment: { LANG: 'C' } }))
      const names = Object.keys(environment).filter((name) => !name.startsWith('NODE_CHANNEL'))
      assert.deepEqual(names.sort(), ['LANG', 'TMPDIR'])
      assert.deepEqual(execArgv, ['--max-old-space-size=512', '--disable-sigusr1'])
    } finally {
      delete process.env['RECOLLECT_TEST_SECRET']
    }
  })

  it('replaces a child after its number of documents', async () => {
    const pool = makePool({ recycleAfterDocuments: 2 })
    const pids = []
    for (let task = 0; task < 4; task++) pids.push((await surroundings(pool)).pid)
    assert.equal(pids[0], pids[1])
    assert.equal(pids[2], pids[3])
    assert.notEqual(pids[1], pids[2])
  })

  it('replaces a child that has grown', async () => {
    const pool = makePool({ recycleAtBytes: 1 })
    const { pid } = await surroundings(pool)
    await waitUntilGone(pid)
    assert.notEqual((await surroundings(pool)).pid, pid)
  })

  it('ends a child that has nothing to do', async () => {
    const { pid } = await surroundings(makePool({ idleMs: 20 }))
    await waitUntilGone(pid)
  })

  it('takes no file for damaged because no process can be started, and keeps the place', {
    timeout: 30_000,
  }, async () => {
    const pool = makePool()
    const node = process.execPath
    process.execPath = '/nowhere/node'
    try {
      const tasks = [
        collect(pool.parse(file('behave'), TYPE)),
        pool.run('echo', 1).catch((error: unknown) => ({ error })),
      ]
      for (const { error } of (await Promise.all(tasks)) as { error: unknown }[]) {
        assert.ok(error instanceof ApiError, String(error))
        assert.equal(error.code, 'service_unavailable')
      }
    } finally {
      process.execPath = node
    }
    assert.equal(await pool.run('echo', 1), 1)
  })

  it('runs as many tasks concurrently as it has children, and queues others', async () => {
    const pool = makePool({ size: 2 })
    const [a, b, c] = await Promise.all([surroundings(pool), surroundings(pool), surroundings(pool)])
    assert.equal(new Set([a.pid, b.pid, c.pid]).size, 2)
  })

  it('starts a child ahead of need', async () => {
    const pool = makePool()
    pool.warm()
    pool.warm()
    assert.equal(await pool.run('echo', 1), 1)
  })

  it('keeps one child ahead of need, also after it was idle or replaced', async () => {
    const pool = makePool({ size: 2, idleMs: 20, recycleAfterDocuments: 2 })
    pool.warm()
    const { pid } = await surroundings(pool)
    await sleep(200)
    assert.equal((await surroundings(pool)).pid, pid, 'idleness did not end it')
    await waitUntilGone(pid)
    assert.ok(isAlive((await surroundings(pool)).pid))
  })

  it('leaves no process when it is closed, and takes no further task', async () => {
    const pool = makePool()
    const { pid } = await surroundings(pool)
    const reading = collect(pool.parse(file('hang'), TYPE))
    await pool.close()
    assert.ok(!isAlive(pid))
    assert.ok((await reading).error !== null)
    await assert.rejects(pool.run('echo', 1), /stopping/)
  })

  it('removes the abort listener of a caller that waited at the close', async () => {
    const pool = makePool()
    const reading = collect(pool.parse(file('hang'), TYPE))
    const { signal } = new AbortController()
    const refused = assert.rejects(pool.run('echo', 1, { signal }), /stopping/)
    await pool.close()
    await Promise.all([refused, reading])
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })
})

describe('a crew', () => {
  it('keeps no place for a caller who has given up already', { timeout: 10_000 }, async () => {
    const tasksModule = new URL('./hostile-tasks.ts', import.meta.url).href
    const limits = { size: 1, recycleAfterDocuments: 50, recycleAtBytes: 600 * MB, idleMs: 60_000, maxHeapMb: 256 }
    const monitor = createSandboxMonitor(silent)
    const task = { owner: null, isBackground: false, restarts: 0 }
    const shares = createProcessorShares()
    const crew = createProcessPool({
      ...limits,
      shares,
      tasksModule,
      temporaryDirectory: tmpdir(),
      environment: {},
      sandbox: monitor,
    })
    try {
      await assert.rejects(crew.acquire(task, AbortSignal.abort(new Error('given up'))), /given up/)
      crew.release(await crew.acquire(task, undefined), task, true)
    } finally {
      await crew.close()
    }
  })
})
