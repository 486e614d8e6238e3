import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiError } from '../../errors.ts'
import type { FenceWatch } from '../fence/fence-watch.ts'
import type { ChildStart, FenceReport } from '../fence/raise-fence.ts'
import { type Failure, type FromChild, type ToChild, WINDOW_BATCHES } from './protocol.ts'

/** Why a child did not come to its end: it was stopped for its time or its memory, died by itself, or never began. */
export type StopReason =
  | { kind: 'time'; limitMs: number }
  /** `hadServed`: other tasks before, and what they left in its memory counts as well. */
  | { kind: 'memory'; limitBytes: number; hadServed: boolean }
  | { kind: 'crash'; detail: string }
  /** The system started no process: it has too many, too many open files, or too little memory. */
  | { kind: 'unstarted'; detail: string }
  /** Its place went to another task; this one begins again later. */
  | { kind: 'yielded' }
  /** The pool that it belongs to ends. */
  | { kind: 'closed' }

/** True where the task itself took too much, so that it would again. */
export function isGivenUp(reason: StopReason): boolean {
  return reason.kind === 'time' || (reason.kind === 'memory' && !reason.hadServed)
}

/** A task that ended with its process. */
export class ChildStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`the child process stopped: ${'detail' in reason ? reason.detail : reason.kind}`)
    this.name = 'ChildStopped'
    this.reason = reason
  }
}

/** A child process that does one task at a time. */
export type Child = {
  pid: number | null
  /** Tasks it has ended. */
  served(): number
  /** True while a task runs and the child is not waiting for its events to be taken. */
  isWorking(): boolean
  isAlive(): boolean
  /** Does a task: yields its events, returns its result. Throws its `ApiError`, or {@link ChildStopped} when the process ends. */
  run(task: string, input: unknown): AsyncGenerator<unknown, unknown>
  /** Ends it at once; a task that runs throws {@link ChildStopped}. */
  kill(reason: StopReason): void
  /** Resolves when the process is gone. */
  ended: Promise<void>
}

/** How a child is started. */
export type ChildOptions = {
  /** URL of the module whose `tasks` it does. */
  tasksModule: string
  temporaryDirectory: string
  /** All that it knows of the environment. */
  environment: Readonly<Record<string, string>>
  /** V8's heap in megabytes; memory outside of it is watched by the pool. */
  maxHeapMb: number
  /** Says whether it is started behind a fence, and hears what came of it. */
  fence: FenceWatch
}

type Run = { batches: unknown[][]; end: (() => unknown) | null; untaken: number; wake: () => void }

const SAID_CHARACTERS = 2_000

/** Starts a process of the same Node, with nothing of this one's environment; where the system gives none, tasks say so. */
export function startChild(options: ChildOptions): Child {
  const child = trySpawn(options)
  if (child instanceof Error) return unstarted(Promise.resolve(child))
  // Of a process that there is none of only an error comes, and never an end.
  if (child.pid === undefined) return unstarted(once(child, 'error').then(([error]) => error))
  hearOfFence(child, options.fence)
  return runSession(child)
}

/** A child that ends before it is ready may have been ended by the fence, unless it was killed: a client can bring that about by leaving. */
function hearOfFence(child: ChildProcess, fence: FenceWatch): void {
  const end = (_code: number | null, signal: string | null) => {
    if (signal !== 'SIGKILL') fence.ended()
  }
  child.once('exit', end)
  child.on('message', function hear(message) {
    const said = message as FromChild
    if (said.type !== 'ready') return
    child.off('message', hear)
    child.off('exit', end)
    if (said.fence !== undefined) fence.entered(said.fence)
  })
}

/** What stands in for a child that no process could be started for: it has ended before it began. */
function unstarted(failure: Promise<Error>): Child {
  return {
    pid: null,
    served: () => 0,
    isWorking: () => false,
    isAlive: () => false,
    // biome-ignore lint/correctness/useYield: a task that does not begin
    async *run() {
      throw new ChildStopped({ kind: 'unstarted', detail: (await failure).message })
    },
    kill: () => undefined,
    ended: failure.then(() => undefined),
  }
}

function runSession(child: ChildProcess): Child {
  let current: Run | null = null
  let served = 0
  let killed: StopReason | null = null
  const said = collectErrorOutput(child)
  child.on('message', (message) => receive(message as FromChild))
  // Writing to a process that has just died: its end is reported by `exit`.
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

  function say(message: ToChild): void {
    if (child.connected) child.send(message)
  }

  async function* run(task: string, input: unknown): AsyncGenerator<unknown, unknown> {
    const mine: Run = { batches: [], end: null, untaken: 0, wake: () => undefined }
    current = mine
    if (child.exitCode !== null || child.signalCode !== null) throw new ChildStopped({ kind: 'crash', detail: said() })
    say({ type: 'run', task, input })
    yield* takeBatches(mine, () => say({ type: 'taken' }))
    current = null
    served++
    return mine.end?.()
  }

  return {
    pid: child.pid ?? null,
    served: () => served,
    isWorking: () => current !== null && current.end === null && current.untaken < WINDOW_BATCHES,
    isAlive: () => child.connected && killed === null,
    run,
    kill: (reason) => {
      killed ??= reason
      child.kill('SIGKILL')
    },
    ended,
  }
}

/** The last characters that a process wrote to its error output. */
function collectErrorOutput(child: ChildProcess): () => string {
  let said = ''
  child.stderr?.on('data', (data: Buffer) => {
    said = (said + data.toString()).slice(-SAID_CHARACTERS)
  })
  return () => said
}

/** Yields the events of a run as they come, until its last batch was taken and its end is known. */
async function* takeBatches(run: Run, onTaken: () => void): AsyncGenerator<unknown, void> {
  for (;;) {
    const batch = run.batches.shift()
    if (batch !== undefined) {
      yield* batch
      run.untaken--
      onTaken()
    } else if (run.end !== null) return
    else {
      await new Promise<void>((resolve) => {
        run.wake = resolve
      })
    }
  }
}

/** The process, or why the system refused it at once. */
function trySpawn(options: ChildOptions): ChildProcess | Error {
  try {
    return spawn(options)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function spawn({ tasksModule, temporaryDirectory, environment, maxHeapMb, fence }: ChildOptions): ChildProcess {
  const isFenced = fence.isWanted()
  const all = { ...environment, TMPDIR: temporaryDirectory }
  const start: ChildStart = {
    tasksModule,
    parentPid: process.pid,
    readable: [temporaryDirectory, fileURLToPath(new URL('.', tasksModule))],
    environment: Object.entries(all).map(([name, value]) => `${name}=${value}`),
  }
  // Nobody may make a debugger of it by a signal.
  const options = [`--max-old-space-size=${maxHeapMb}`, '--disable-sigusr1']
  return fork(locate('./child-main'), [JSON.stringify(start)], {
    execPath: process.execPath,
    execArgv: isFenced ? [...options, '--require', locate('../fence/fence-main')] : options,
    env: all,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/** Sources run as they are, packed code is JavaScript. */
function locate(module: string): string {
  return fileURLToPath(new URL(`${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))
}

function fail({ code, message, facts, stack }: Failure): never {
  const cause = stack === null ? undefined : Object.assign(new Error(message), { stack })
  if (code !== null) throw new ApiError(code, { ...facts, message, cause })
  throw cause ?? new Error(message)
}

/** A process starts within a second; a machine may have more to do. */
const PATIENCE_MS = 30_000

/** What the system would keep the children of a service from that is started here; `null` where the one that is started to find out does not come up. */
export async function tryFence(temporaryDirectory: string): Promise<FenceReport | null> {
  const { promise, resolve } = Promise.withResolvers<FenceReport | null>()
  const fence = { isWanted: () => true, entered: resolve, ended: () => resolve(null) }
  const tasksModule = new URL(`./parse-tasks${extname(import.meta.url)}`, import.meta.url).href
  const child = startChild({ tasksModule, temporaryDirectory, environment: {}, maxHeapMb: 256, fence })
  const timer = setTimeout(() => resolve(null), PATIENCE_MS)
  void child.ended.then(() => resolve(null))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill({ kind: 'closed' })
    await child.ended
  }
}
