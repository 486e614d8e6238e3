import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Child } from './child.ts'

/** Limits of a child's task and the receiver of its work time. */
export type WatchOptions = {
  timeoutMs: number
  maxBytes: number
  pollMs: number
  signal: AbortSignal | undefined
  /** Receives the processor time since the last call; elapsed time if the system reports none. */
  onWork?: (ms: number) => void
}

/**
 * Monitors time and memory of a working child and kills it beyond the limits. Returns a function
 * that stops monitoring.
 */
export function watchChild(
  child: Pick<Child, 'pid' | 'served' | 'isWorking' | 'kill'>,
  { timeoutMs, maxBytes, pollMs, signal, onWork = () => undefined }: WatchOptions,
): () => void {
  let workedMs = 0
  let last = { atMs: performance.now(), processorMs: null as number | null }
  let isLooking = false
  let isOver = false
  const poll = async () => {
    // First receive messages sent while this process was busy: the child may have been waiting
    // since.
    await setImmediate()
    const isWorking = child.isWorking()
    const now = {
      atMs: performance.now(),
      processorMs: child.pid === null ? null : await getProcessorMs(child.pid),
    }
    const processorMs = subtract(now.processorMs, last.processorMs)
    const elapsedMs = now.atMs - last.atMs
    last = now
    if (isWorking && !isOver) {
      workedMs += countWorkMs(elapsedMs, processorMs)
      onWork(Math.min(elapsedMs, processorMs ?? elapsedMs))
    }
    if (!isOver && workedMs > timeoutMs) child.kill({ kind: 'time', limitMs: timeoutMs })
    const bytes = child.pid === null ? null : await getResidentBytes(child.pid)
    if (isOver || bytes === null || bytes <= maxBytes) return
    child.kill({ kind: 'memory', limitBytes: maxBytes, hadServed: child.served() > 0 })
  }
  const pollOnce = async () => {
    if (isLooking) return
    isLooking = true
    await poll()
    isLooking = false
  }
  const timer = setInterval(() => void pollOnce(), pollMs)
  const abort = () => child.kill({ kind: 'crash', detail: 'cancelled' })
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return () => {
    isOver = true
    // Counts tasks shorter than the polling interval.
    onWork(Math.min(performance.now() - last.atMs, pollMs))
    clearInterval(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/**
 * Returns the work time between two polls. Processor time is used, so that a loaded machine does
 * not shorten the limit. Elapsed time is used if the system reports none (`null`) or zero, because
 * a hanging task uses no processor.
 */
export function countWorkMs(elapsedMs: number, processorMs: number | null): number {
  return processorMs === null || processorMs === 0 ? elapsedMs : Math.min(elapsedMs, processorMs)
}

function subtract(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before
}

/** Clock ticks per second in /proc, on Linux with Node. proc(5): sysconf(_SC_CLK_TCK). */
const TICKS_PER_SECOND = 100
/** Index of user and system ticks after the program name. proc(5): fields 14 and 15. */
const USER_TICKS_FIELD = 11
const SYSTEM_TICKS_FIELD = 12

/**
 * Returns the processor time of all threads of a process in milliseconds, in steps of 10; `null` if
 * gone or not reported.
 */
export async function getProcessorMs(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name is in brackets and may contain anything; later fields contain no brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[USER_TICKS_FIELD] ?? Number.NaN) + Number(fields[SYSTEM_TICKS_FIELD] ?? Number.NaN)
  return Number.isNaN(ticks) ? null : (1000 * ticks) / TICKS_PER_SECOND
}

const run = promisify(execFile)

/** Returns the resident memory of a process in bytes; `null` if gone or not reported. */
export async function getResidentBytes(pid: number): Promise<number | null> {
  if (process.platform === 'win32') return null
  return process.platform === 'linux' ? readStatus(pid) : readPs(pid)
}

async function readStatus(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

async function readPs(pid: number): Promise<number | null> {
  const answer = await run('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null)
  const kilobytes = Number(answer?.stdout.trim() || 'none')
  return Number.isNaN(kilobytes) ? null : kilobytes * 1024
}
