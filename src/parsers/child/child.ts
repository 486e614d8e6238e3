import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiError } from '../../errors.ts'
import type { ChildStart, SandboxReport } from '../sandbox/restrict-process.ts'
import type { SandboxMonitor } from '../sandbox/sandbox-monitor.ts'
import { type Failure, type FromChild, MAX_BATCHES_IN_FLIGHT, type ToChild } from './protocol.ts'

/** Reason why a child stopped: a limit, a crash, or a failed start. */
export type StopReason =
  | { kind: 'time'; limitMs: number }
  /** `hadServed`: earlier tasks may have left data in the child's memory. */
  | { kind: 'memory'; limitBytes: number; hadServed: boolean }
  | { kind: 'crash'; detail: string }
  /**
   * The system started no process: too many processes, too many open files, or too little memory.
   */
  | { kind: 'unstarted'; detail: string }
  /** The child's slot went to another task; the task is retried later. */
  | { kind: 'yielded' }
  /** The pool was closed. */
  | { kind: 'closed' }

/** True if the task itself exceeded a limit and would do so again. */
export function exceededLimit(reason: StopReason): boolean {
  return reason.kind === 'time' || (reason.kind === 'memory' && !reason.hadServed)
}

/** Thrown by a task whose process ended. */
export class ChildStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the child process stopped: ${'detail' in reason ? reason.detail : reason.kind}`)
    this.name = 'ChildStopped'
    this.reason = reason
  }
}

/** A child process that runs one task at a time. */
export type Child = {
  pid: number | null
  /** Number of finished tasks. */
  served(): number
  /** True while a task runs and the child is not blocked by a slow reader. */
  isWorking(): boolean
  isAlive(): boolean
  /**
   * Runs a task: yields its events and returns its result. Throws the task's `ApiError`, or {@link
   * ChildStopped} if the process ends.
   */
  run(task: string, input: unknown): AsyncGenerator<unknown, unknown>
  /** Kills the process; a running task throws {@link ChildStopped}. */
  kill(reason: StopReason): void
  /** Resolves when the process is gone. */
  ended: Promise<void>
}

/** Options for starting a child. */
export type ChildOptions = {
  /** URL of the module that exports the child's `tasks`. */
  tasksModule: string
  temporaryDirectory: string
  /** The child's complete environment. */
  environment: Readonly<Record<string, string>>
  /** V8 heap limit in megabytes. The pool monitors other memory. */
  maxHeapMb: number
  /** Decides if the child is sandboxed, and receives the outcome. */
  sandbox: SandboxMonitor
}

type TaskRun = { batches: unknown[][]; end: (() => unknown) | null; untaken: number; wake: () => void }

const MAX_ERROR_OUTPUT_CHARACTERS = 2_000

/**
 * Starts a Node process without this process's environment. If the system cannot start a process,
 * tasks throw.
 */
export function startChild(options: ChildOptions): Child {
  const child = trySpawn(options)
  if (child instanceof Error) return createFailedChild(Promise.resolve(child))
  // A process that failed to start emits `error` but never `exit`.
  if (child.pid === undefined) return createFailedChild(once(child, 'error').then(([error]) => error))
  watchSandboxStart(child, options.sandbox)
  return runSession(child)
}

/**
 * A child that ends before it is ready may have been ended by the sandbox. SIGKILL is excluded: a
 * client that disconnects causes it.
 */
function watchSandboxStart(child: ChildProcess, sandbox: SandboxMonitor): void {
  const end = (_code: number | null, signal: string | null) => {
    if (signal !== 'SIGKILL') sandbox.ended()
  }
  child.once('exit', end)
  child.on('message', function hear(message) {
    const said = message as FromChild
    if (said.type !== 'ready') return
    child.off('message', hear)
    child.off('exit', end)
    if (said.sandbox !== undefined) sandbox.entered(said.sandbox)
  })
}

/** Placeholder for a child whose process could not be started. */
function createFailedChild(failure: Promise<Error>): Child {
  return {
    pid: null,
    served: () => 0,
    isWorking: () => false,
    isAlive: () => false,
    // biome-ignore lint/correctness/useYield: the task never starts
    async *run() {
      throw new ChildStopped({ kind: 'unstarted', detail: (await failure).message })
    },
    kill: () => undefined,
    ended: failure.then(() => undefined),
  }
}

function runSession(child: ChildProcess): Child {
  let current: TaskRun | null = null
  let served = 0
  let killed: StopReason | null = null
  const said = collectErrorOutput(child)
  child.on('message', (message) => receive(message as FromChild))
  // Writing to a dead process fails; `exit` reports its end.
  child.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      finish(() => {
        throw new ChildStopped(killed ?? { kind: 'crash', detail: `exit ${code ?? signal}: ${said().trim()}` })
      })
      resolve()
    })
  })

  function receive(message: FromChild): void {
    if (message.type === 'events' && current !== null) {
      current.batches.push(message.events)
      current.untaken++
      current.wake()
    }
    if (message.type === 'done') finish(() => message.value)
    if (message.type === 'failed') finish(() => fail(message.error))
  }

  function finish(end: () => unknown): void {
    if (current === null) return
    current.end ??= end
    current.wake()
  }

  function sendMessage(message: ToChild): void {
    if (child.connected) child.send(message)
  }

  async function* run(task: string, input: unknown): AsyncGenerator<unknown, unknown> {
    const mine: TaskRun = { batches: [], end: null, untaken: 0, wake: () => undefined }
    current = mine
    if (child.exitCode !== null || child.signalCode !== null) throw new ChildStopped({ kind: 'crash', detail: said() })
    sendMessage({ type: 'run', task, input })
    yield* drainBatches(mine, () => sendMessage({ type: 'taken' }))
    current = null
    served++
    return mine.end?.()
  }

  return {
    pid: child.pid ?? null,
    served: () => served,
    isWorking: () => current !== null && current.end === null && current.untaken < MAX_BATCHES_IN_FLIGHT,
    isAlive: () => child.connected && killed === null,
    run,
    kill: (reason) => {
      killed ??= reason
      child.kill('SIGKILL')
    },
    ended,
  }
}

/** Returns the last characters of a process's error output. */
function collectErrorOutput(child: ChildProcess): () => string {
  let said = ''
  child.stderr?.on('data', (data: Buffer) => {
    said = (said + data.toString()).slice(-MAX_ERROR_OUTPUT_CHARACTERS)
  })
  return () => said
}

/** Yields a run's events until the last batch was consumed and the outcome is known. */
async function* drainBatches(run: TaskRun, onBatchTaken: () => void): AsyncGenerator<unknown, void> {
  for (;;) {
    const batch = run.batches.shift()
    if (batch !== undefined) {
      yield* batch
      run.untaken--
      onBatchTaken()
    } else if (run.end !== null) return
    else {
      await new Promise<void>((resolve) => {
        run.wake = resolve
      })
    }
  }
}

/** Returns the process, or the error of an immediate refusal. */
function trySpawn(options: ChildOptions): ChildProcess | Error {
  try {
    return spawn(options)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function spawn({ tasksModule, temporaryDirectory, environment, maxHeapMb, sandbox }: ChildOptions): ChildProcess {
  const isSandboxed = sandbox.isWanted()
  const all = { ...environment, TMPDIR: temporaryDirectory }
  const start: ChildStart = {
    tasksModule,
    parentPid: process.pid,
    readable: [temporaryDirectory, fileURLToPath(new URL('.', tasksModule))],
    environment: Object.entries(all).map(([name, value]) => `${name}=${value}`),
  }
  // Prevents activating the debugger by a signal.
  const options = [`--max-old-space-size=${maxHeapMb}`, '--disable-sigusr1']
  return fork(locateModule('./child-main'), [JSON.stringify(start)], {
    execPath: process.execPath,
    execArgv: isSandboxed ? [...options, '--require', locateModule('../sandbox/sandbox-main')] : options,
    env: all,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/** Sources run as TypeScript, packaged code as JavaScript. */
function locateModule(module: string): string {
  return fileURLToPath(new URL(`${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))
}

function fail({ code, message, facts, stack }: Failure): never {
  const cause = stack === null ? undefined : Object.assign(new Error(message), { stack })
  if (code !== null) throw new ApiError(code, { ...facts, message, cause })
  throw cause ?? new Error(message)
}

/** Timeout of the sandbox test. A process starts within a second, but the machine may be busy. */
const SANDBOX_TEST_TIMEOUT_MS = 30_000

/**
 * Reports how children of this service would be sandboxed; `null` if the test process does not
 * start.
 */
export async function testSandbox(temporaryDirectory: string): Promise<SandboxReport | null> {
  const { promise, resolve } = Promise.withResolvers<SandboxReport | null>()
  const sandbox = { isWanted: () => true, entered: resolve, ended: () => resolve(null) }
  const tasksModule = new URL(`./parse-tasks${extname(import.meta.url)}`, import.meta.url).href
  const child = startChild({ tasksModule, temporaryDirectory, environment: {}, maxHeapMb: 256, sandbox })
  const timer = setTimeout(() => resolve(null), SANDBOX_TEST_TIMEOUT_MS)
  void child.ended.then(() => resolve(null))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill({ kind: 'closed' })
    await child.ended
  }
}
