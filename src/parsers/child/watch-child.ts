import { setImmediate } from 'node:timers/promises'
import type { Child } from './child.ts'
import { getResidentBytes } from './resident-bytes.ts'

/** Looks at time and memory of a child while it works, and kills it beyond its limits. Returns what ends that. */
export function watchChild(
  child: Pick<Child, 'pid' | 'isWorking' | 'kill'>,
  limits: { timeoutMs: number; maxBytes: number; pollMs: number; signal: AbortSignal | undefined },
): () => void {
  const { timeoutMs, maxBytes, pollMs, signal } = limits
  let workedMs = 0
  let last = performance.now()
  const look = async () => {
    // What the child has sent while this process was busy is heard first: it may have been waiting since.
    await setImmediate()
    const now = performance.now()
    if (child.isWorking()) workedMs += now - last
    last = now
    if (workedMs > timeoutMs) child.kill({ kind: 'time', limitMs: timeoutMs })
    const bytes = child.pid === null ? null : await getResidentBytes(child.pid)
    if (bytes !== null && bytes > maxBytes) child.kill({ kind: 'memory', limitBytes: maxBytes })
  }
  const timer = setInterval(() => void look(), pollMs)
  const abort = () => child.kill({ kind: 'crash', detail: 'cancelled' })
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return () => {
    clearInterval(timer)
    signal?.removeEventListener('abort', abort)
  }
}
