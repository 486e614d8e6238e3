/**
 * Clients send or read slowly, or stay idle. Normal clients are served as before, and the process
 * does not grow. The timeouts in `docs/limits.md` close each slow client without leftovers.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { countOpenFiles, readMemory } from '../../bench/processes.ts'
import { percentile } from '../../bench/timings.ts'
import { assertStatus } from '../spec/answer.ts'
import { createService } from '../spec/service.ts'
import type { Accepted } from '../spec/shapes.ts'
import { addText, endOfJob, find, makeMemory, upload } from '../spec/steps.ts'
import { openSlowClient, type SlowClient, type Slowness } from './support/slow-client.ts'
import { untilReady } from './until-ready.ts'

const MEGABYTE = 1024 * 1024
/** `docs/limits.md`, "Of connections". */
const HEAD_MS = 20_000
const IDLE_MS = 30_000
/** Over what is stated: the looks at connections are 5 s apart, and the machine may be busy. */
const GRACE_MS = 30_000
const OF_EACH_KIND = 100
/**
 * Fewer where a process may not open as many files, of which the service keeps a quarter for
 * connections.
 */
const IDLE_CONNECTIONS = Math.min(2000, Math.floor(mostOpenFiles() / 4) - 7 * OF_EACH_KIND)
/** Memory for 2,500 connections and uncollected garbage. */
const MAX_GROWTH_MB = 400
/** Measured: about 1; more on a busy machine. */
const MAX_SLOWDOWN = 10
const FINDS = 60
/** More than any system buffers for a stalled reader. */
const LARGE_BYTES = 16 * MEGABYTE

describe('while clients are as slow as they can be', () => {
  const service = createService({ RECOLLECT_LOG_LEVEL: 'info' })
  let memoryId: string
  let large: string
  let restingFiles = 0
  const clients: SlowClient[] = []

  before(async () => {
    await service.start()
    memoryId = await makeMemory(service)
    for (let count = 0; count < 30; count += 1)
      await addText(service, memoryId, `Ship ${count} carried oranges to Varn.`)
    const content = `<!--${'x'.repeat(LARGE_BYTES)}--><p>The last page.</p>`
    const file = { content, filename: 'large.html', type: 'text/html', options: { storeSource: true } }
    const accepted = await upload<Accepted>(service, memoryId, file)
    assertStatus(accepted, 202)
    assert.equal((await endOfJob(service, accepted.json.jobId)).status, 'completed')
    large = `/v1/memories/${memoryId}/documents/${accepted.json.documentIds[0]}/source`
    restingFiles = countOpenFiles(service.pid) ?? 0
  })
  after(async () => {
    for (const { socket } of clients) socket.destroy()
    await service.dispose()
  })

  /** Opens `count` connections of one kind. */
  async function open(count: number, slowness: Slowness): Promise<SlowClient[]> {
    const opened: SlowClient[] = []
    for (let index = 0; index < count; index += 1) opened.push(await openSlowClient(portOf(service.url), slowness))
    clients.push(...opened)
    return opened
  }

  /** The median time of a find, in milliseconds. */
  async function timeFinds(): Promise<number> {
    const times: number[] = []
    for (let count = 0; count < FINDS; count += 1) {
      const started = performance.now()
      assert.equal((await find(service, memoryId, `ship ${count % 30} oranges`)).totalHits > 0, true)
      times.push(performance.now() - started)
    }
    return percentile(times, 0.5)
  }

  const head = (method: string, path: string, ...headers: string[]) =>
    [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${service.bootstrapKey}`, ...headers].join('\r\n')
  const documents = () => `/v1/memories/${memoryId}/documents`
  const uploadsLeft = () => {
    const folder = join(service.dataDirectory, 'tmp')
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('upload-')) : []
  }

  /**
   * Asserts that the server ends each connection between `fromMs` and `toMs`, plus the delay of a
   * busy machine.
   */
  async function assertEnded(
    slow: readonly SlowClient[],
    { fromMs, toMs }: { fromMs: number; toMs: number },
    startedMs: number,
  ) {
    const ends = await Promise.race([
      Promise.all(slow.map(({ ended }) => ended)),
      pause(startedMs + toMs + GRACE_MS - performance.now(), null),
    ])
    assert.ok(
      ends !== null,
      `${slow.filter((one) => one.isOpen()).length} of ${slow.length} are open after ${toMs + GRACE_MS} ms`,
    )
    assert.ok(
      Math.min(...ends) - startedMs >= fromMs - 1000,
      `one was closed after ${Math.min(...ends) - startedMs} ms`,
    )
  }

  it('everybody else is answered as before, and each is closed by the time that is stated', async (context) => {
    await timeFinds()
    const [alone, restingMb] = [await timeFinds(), readMemory(service.pid, 'VmRSS') ?? 0]
    const startedMs = performance.now()
    const form = head('POST', documents(), 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 9000000')
    const json = head('POST', documents(), 'Content-Type: application/json', 'Content-Length: 100000')
    const idle = await open(IDLE_CONNECTIONS, {})
    const slowHeads = await open(OF_EACH_KIND, {
      first: 'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      drips: 'x'.repeat(600),
    })
    const slowBodies = await open(OF_EACH_KIND, {
      first: `${json}\r\n\r\n{"documents":[{"text":"`,
      drips: 'x'.repeat(600),
    })
    const stoppedBodies = await open(OF_EACH_KIND, { first: `${json}\r\n\r\n{"documents":[{"text":"` })
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    const stoppedUploads = await open(OF_EACH_KIND, { first: `${form}\r\n\r\n${part}${'half '.repeat(20_000)}` })
    await open(OF_EACH_KIND, { first: `${head('GET', large)}\r\n\r\n`, reads: false })
    const openedMs = performance.now() - startedMs

    const beside = await timeFinds()
    await untilReady(service)
    assert.equal(uploadsLeft().length, OF_EACH_KIND, 'the uploads have not begun')
    const grownMb = (readMemory(service.pid, 'VmRSS') ?? 0) - restingMb
    context.diagnostic(
      `a find ${alone.toFixed(1)} ms, beside ${clients.length} slow clients ${beside.toFixed(1)} ms; ${grownMb} MB more; opened in ${Math.round(openedMs)} ms`,
    )
    assert.ok(beside / alone <= MAX_SLOWDOWN, `a find takes ${(beside / alone).toFixed(1)} times as long`)
    assert.ok(grownMb <= MAX_GROWTH_MB, `${grownMb} MB more`)

    const heads = { fromMs: HEAD_MS, toMs: openedMs + HEAD_MS }
    await assertEnded([...idle, ...slowHeads], heads, startedMs)
    const bodies = { fromMs: IDLE_MS, toMs: openedMs + 2 * IDLE_MS }
    await assertEnded([...slowBodies, ...stoppedBodies, ...stoppedUploads], bodies, startedMs)
    for (const { received } of [...idle, ...slowHeads, ...slowBodies, ...stoppedBodies, ...stoppedUploads]) {
      assert.match(received(), /^HTTP\/1\.1 504 .*"code":"request_timeout"/s)
    }
    await untilNoUploads(performance.now() + GRACE_MS)
    await untilClosed(restingFiles, startedMs + openedMs + 2 * IDLE_MS + GRACE_MS)
    await addText(service, memoryId, 'The last ship carried lemons.')
    assert.ok((await timeFinds()) / alone <= MAX_SLOWDOWN)
  })

  /** Waits until uploads are cleaned up, which happens after the answer. */
  async function untilNoUploads(untilMs: number): Promise<void> {
    while (uploadsLeft().length > 0) {
      assert.ok(performance.now() < untilMs, `${uploadsLeft().length} uploads are left`)
      await pause(200)
    }
  }

  /**
   * Waits until the service has at most `most` open files and connections; connections may not have
   * noticed their end.
   */
  async function untilClosed(most: number, untilMs: number): Promise<void> {
    /** The connections of these tests, and briefly open files. */
    const own = 20
    for (;;) {
      const open = countOpenFiles(service.pid) ?? 0
      if (open <= most + own) return
      assert.ok(performance.now() < untilMs, `${open} files and connections are open, ${most} were expected`)
      await pause(200)
    }
  }
})

/** The maximum of open files and sockets of a process: Node raises its limit to the hard limit. */
function mostOpenFiles(): number {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : ''
  return Number(/Max open files\s+\d+\s+(\d+)/.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
