import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCE = {
  service: join(ROOT, 'src/main.ts'),
  command: join(ROOT, 'src/cli/main.ts'),
  cache: process.env['NODE_COMPILE_CACHE'] ?? '',
}
/**
 * The service and the command line under test: the bundle made once by the test runner, else the
 * source. A bundle starts in half of the processor time. `cache` is the compile cache of
 * these processes.
 */
export const PROGRAMS = findPrograms(process.env['SERVICE_BUNDLE'])
const ADDRESS = /http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d+/
const STOP_MS = 20_000

/** A running process of the product. */
export type Child = {
  pid: number
  /**
   * The printed address. Rejects with the output when the process ends early or after `timeoutMs`.
   */
  address(timeoutMs: number): Promise<string>
  /** The first match in the output; rejects like `address`. */
  printed(pattern: RegExp, timeoutMs: number): Promise<string>
  /** Standard output and standard error so far. */
  output(): string
  /**
   * Sends the signal and waits for the end; a process that does not end in time is killed and the
   * promise rejects.
   */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Ended>
  /** Waits for the end without a signal. */
  ended(): Promise<Ended>
}

export type Ended = { code: number | null; output: string }

/** Starts the service with these settings, without the rest of the environment. */
export function spawnProduct(settings: Readonly<Record<string, string>>): Child {
  return watched(spawn(process.execPath, [PROGRAMS.service], { env: environment(settings), cwd: ROOT }))
}

/** Starts the service from source, for tests of loaded modules. */
export function spawnFromSource(settings: Readonly<Record<string, string>>): Child {
  return watched(spawn(process.execPath, [SOURCE.service], { env: environment(settings, SOURCE), cwd: ROOT }))
}

/**
 * Starts the service with its data on a separate disk of so many megabytes. Needs Linux with user
 * namespaces, see {@link hasSmallDisks}.
 */
export function spawnOnSmallDisk(settings: Readonly<Record<string, string>>, megabytes: number): Child {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs '${dirname(settings['RECOLLECT_DATA_DIR'] ?? '')}'`
  const script = `${mount} && exec '${process.execPath}' '${PROGRAMS.service}'`
  return watched(spawn('unshare', ['-rm', 'sh', '-c', script], { env: environment(settings), cwd: ROOT }))
}

/** True when this machine lets a process mount a disk. */
export function hasSmallDisks(): boolean {
  const mount = `mount -t tmpfs -o size=1m tmpfs '${tmpdir()}'`
  return spawnSync('unshare', ['-rm', 'sh', '-c', mount], { stdio: 'ignore' }).status === 0
}

/** Runs the command line with these arguments to completion. */
export function runCommandLine(settings: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAMS.command, ...args], {
    env: environment(settings),
    cwd: ROOT,
  })
  return watched(child).ended()
}

function findPrograms(bundle: string | undefined): typeof SOURCE {
  if (bundle === undefined) return SOURCE
  return {
    service: join(bundle, 'main.js'),
    command: join(bundle, 'cli/main.js'),
    cache: join(bundle, 'compile-cache'),
  }
}

function environment(settings: Readonly<Record<string, string>>, { cache } = PROGRAMS): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  // Like `npm start`: a start without the compile cache takes half as long again.
  const given = Object.entries({ NODE_COMPILE_CACHE: cache, ...settings }).filter(([, value]) => value !== '')
  return { PATH, HOME, ...Object.fromEntries(given) }
}

function watched(child: ChildProcess): Child {
  let output = ''
  let code: number | null = null
  const collect = (piece: Buffer) => {
    output += piece.toString('utf8')
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const closed = once(child, 'close').then(([status]) => {
    code = status as number | null
    return { code, output }
  })

  async function printed(pattern: RegExp, timeoutMs: number): Promise<string> {
    const limit = AbortSignal.timeout(timeoutMs)
    const early = closed.then(() => {
      throw new Error(`ended with ${code} before it printed ${pattern.source}:\n${output}`)
    })
    const found = (async () => {
      for (;;) {
        const [text] = pattern.exec(output) ?? []
        if (text !== undefined) return text
        limit.throwIfAborted()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    return Promise.race([found, early])
  }

  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended: () => closed,
    printed,
    address: (timeoutMs) => printed(ADDRESS, timeoutMs),
    async end(signal) {
      child.kill(signal)
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      const ended = await closed
      clearTimeout(late)
      return ended
    },
  }
}
