import { setImmediate } from 'node:timers/promises'
import type { Child } from './child.ts'
import { getProcessorMs } from './processor-time.ts'
import { getResidentBytes } from './resident-bytes.ts'

/** Limits of a child's task, and who hears of its work as it goes on. */
export type WatchOptions = {
  timeoutMs: number
  maxBytes: number
  pollMs: number
  signal: AbortSignal | undefined
  /** Hears of the processor time that the child has used since the last time; of all time where the system does not say. */
  onWork?: (ms: number) => void
}

/** Looks at time and memory of a child while it works, and kills it beyond its limits. Returns what ends that. */
export function watchChild(
  child: Pick<Child, 'pid' | 'served' | 'isWorking' | 'kill'>,
  { timeoutMs, maxBytes, pollMs, signal, onWork = () => undefined }: WatchOptions,
): () => void {
  let workedMs = 0
  let last = { atMs: performance.now(), processorMs: null as number | null }
  let isLooking = false
  let isOver = false
  const look = async () => {
    // What the child has sent while this process was busy is heard first: it may have been waiting since.
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
  const lookAlone = async () => {
    if (isLooking) return
    isLooking = true
    await look()
    isLooking = false
  }
  const timer = setInterval(() => void lookAlone(), pollMs)
  const abort = () => child.kill({ kind: 'crash', detail: 'cancelled' })
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return () => {
    isOver = true
    // A task that is shorter than the time between two looks has worked, too.
    onWork(Math.min(performance.now() - last.atMs, pollMs))
    clearInterval(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/**
 * What counts as work of the time between two looks: what the processors gave, so that a loaded machine takes nothing from a file; all of it
 * where they gave nothing, since who waits for nothing waits for ever, and where the system does not say (`null`).
 */
export function countWorkMs(elapsedMs: number, processorMs: number | null): number {
  return processorMs === null || processorMs === 0 ? elapsedMs : Math.min(elapsedMs, processorMs)
}

function subtract(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before
}
