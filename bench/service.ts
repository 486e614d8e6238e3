import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '..')
const ADDRESS = /ready on (http:\/\/\S+?)["\s]/
/** Stated, so that it need not be read from the output. */
const KEY = 'bench-key-of-more-than-twenty-characters'
const START_TIMEOUT_MS = 30_000

/** A running service of the bench, over a data folder of its own. */
export type Service = {
  /** From the start of the process until `/health/ready` answered 200. */
  readyMs: number
  /** Sends a request and gives the answer's JSON. Rejects when the status is not a success. */
  send(method: string, path: string, body?: object | FormData): Promise<unknown>
  /** Megabytes in memory now; `null` where the system does not say (`/proc` is read). */
  rss(): number | null
  /** The most megabytes it ever had in memory. */
  peakRss(): number | null
  /** Milliseconds of processor time it ever took; `null` where the system does not say. */
  cpuMs(): number | null
  stop(): Promise<void>
}

/** Starts the service as `npm start` does, over a data folder; `nodeOptions` are handed to its Node. */
export async function startService(dataDir: string, nodeOptions: readonly string[] = []): Promise<Service> {
  const started = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'scripts/run.mjs'), ...nodeOptions, join(ROOT, 'src/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      RECOLLECT_DATA_DIR: dataDir,
      RECOLLECT_PORT: '0',
      RECOLLECT_BOOTSTRAP_KEY: KEY,
      RECOLLECT_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const address = await readAddress(child)
  const ready = await fetch(`${address}/health/ready`)
  if (ready.status !== 200) throw new Error(`not ready: ${ready.status}`)
  const readyMs = performance.now() - started
  return {
    readyMs,
    send: (method, path, body) => send(`${address}${path}`, method, body),
    rss: () => readMemory(child, 'VmRSS'),
    peakRss: () => readMemory(child, 'VmHWM'),
    cpuMs: () => readProcessorTime(child),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function readAddress(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.on('data', (piece: Buffer) => {
    // Only the beginning: a long run logs a line a request.
    if (output.length < 10_000) output += piece.toString('utf8')
  })
  const limit = AbortSignal.timeout(START_TIMEOUT_MS)
  for (;;) {
    const address = ADDRESS.exec(output)?.[1]
    if (address !== undefined) return address
    if (limit.aborted || child.exitCode !== null) throw new Error(`the service did not start:\n${output}`)
    await pause(5)
  }
}

async function send(url: string, method: string, body: object | FormData | undefined): Promise<unknown> {
  const isForm = body instanceof FormData
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return text === '' ? null : JSON.parse(text)
}

/** `VmRSS` or `VmHWM` of the Node that the start script runs. */
function readMemory(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): number | null {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readProcessFile(child, 'status'))?.[1]
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

/** Linux counts in hundredths of a second; the fields 14 and 15 of `stat` are those of user and system (man 5 proc). */
function readProcessorTime(child: ChildProcess): number | null {
  const fields = readProcessFile(child, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
  const [user, system] = [fields[11], fields[12]]
  return user === undefined || system === undefined ? null : 10 * (Number(user) + Number(system))
}

/** A file of `/proc` about the start script's only child; empty where there is none. */
function readProcessFile(child: ChildProcess, name: string): string {
  try {
    const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
