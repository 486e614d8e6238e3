import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Ask, createHttpClient } from './http-client.ts'
import { countOpenFiles, listChildren, readMemory, readProcessorTime } from './processes.ts'

const ROOT = join(import.meta.dirname, '..')
const ADDRESS = /ready on (http:\/\/\S+?)["\s]/
/** A fixed key, so the output need not be parsed. */
const KEY = 'bench-key-of-more-than-twenty-characters'
const START_TIMEOUT_MS = 30_000
const FAULT = /^\{"level":"(?:error|fatal)"/
const MAX_FAULTS = 50

/** A running service with a data folder for the bench. */
export type Service = {
  /** From the start of the process until `/health/ready` answered 200. */
  readyMs: number
  /** The address, and the headers of an authorized request. */
  door: { address: string; headers: Readonly<Record<string, string>> }
  /** Sends a request and gives the answer's JSON. Rejects when the status is not a success. */
  send(method: string, path: string, body?: object | FormData): Promise<unknown>
  /**
   * Sends a request and gives what was answered. Rejects when nothing was, or not within
   * `timeoutMs`.
   */
  ask: Ask
  /**
   * The process of the service itself; `null` when it is gone, and where the system does not say.
   */
  pid(): number | null
  /** False after an unexpected end of the service. */
  isAlive(): boolean
  /** The last fifty errors in the log. */
  faults(): readonly string[]
  /** Megabytes in memory now; `null` where the system does not say (`/proc` is read). */
  rss(): number | null
  /** The peak memory in megabytes. */
  peakRss(): number | null
  /** The total processor time in milliseconds; `null` where the system does not report it. */
  cpuMs(): number | null
  /** The number of open files and sockets; `null` where the system does not report it. */
  openFiles(): number | null
  stop(): Promise<void>
}

/**
 * Starts the service like `npm start` on a data folder, with Node options and environment settings.
 */
export async function startService(
  dataDir: string,
  nodeOptions: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const started = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'scripts/run.mjs'), ...nodeOptions, join(ROOT, 'src/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      RECOLLECT_DATA_DIR: dataDir,
      RECOLLECT_PORT: '0',
      RECOLLECT_BOOTSTRAP_KEY: KEY,
      RECOLLECT_LOG_LEVEL: 'info',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const faults: string[] = []
  const address = await readAddress(child, faults)
  const client = createHttpClient(address, KEY)
  const ready = await client.ask('GET', '/health/ready')
  if (ready.status !== 200) throw new Error(`not ready: ${ready.status}`)
  const readyMs = performance.now() - started
  const pid = () => (child.pid === undefined ? null : (listChildren(child.pid)[0] ?? null))
  return {
    readyMs,
    door: { address, headers: { authorization: `Bearer ${KEY}` } },
    send: (method, path, body) => requireSuccess(client.ask(method, path, body), `${method} ${path}`),
    ask: client.ask,
    pid,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    faults: () => faults,
    rss: () => readMemory(pid(), 'VmRSS'),
    peakRss: () => readMemory(pid(), 'VmHWM'),
    cpuMs: () => readProcessorTime(pid()),
    openFiles: () => countOpenFiles(pid()),
    async stop() {
      client.close()
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/**
 * The address is in the first lines; all later ones are read for errors, or the pipe would fill.
 */
async function readAddress(child: ChildProcess, faults: string[]): Promise<string> {
  let address: string | undefined
  let beginning = ''
  if (child.stdout === null) throw new Error('the service has no output')
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (address === undefined) beginning += `${line}\n`
    address ??= ADDRESS.exec(line)?.[1]
    if (FAULT.test(line)) faults.push(line)
    if (faults.length > MAX_FAULTS) faults.shift()
  })
  child.stderr?.on('data', (piece: Buffer) => {
    if (address === undefined) beginning += piece.toString()
  })
  const limit = AbortSignal.timeout(START_TIMEOUT_MS)
  while (address === undefined) {
    if (limit.aborted || child.exitCode !== null) {
      child.kill()
      throw new Error(`the service did not start:\n${beginning}`)
    }
    await pause(5)
  }
  return address
}

async function requireSuccess(asked: Promise<Answer>, what: string): Promise<unknown> {
  const { status, body } = await asked
  if (status < 300) return body
  const shown = typeof body === 'string' ? body : JSON.stringify(body)
  throw new Error(`${what} answered ${status}: ${shown.slice(0, 500)}`)
}
