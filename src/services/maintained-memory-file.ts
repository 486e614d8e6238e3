import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts'
import type { MemoryFile, PendingMaintenance } from '../memory-file/memory-file.ts'
import type { Log } from '../observability/log.ts'
import type { StorageLayer } from './memory-files.ts'
import { createLocalTasks, type ExclusiveTasks } from './nodes/exclusive-tasks.ts'

/** Maintenance waits for this pause in the writes, so that a bulk load is compacted only once. */
const PAUSE_MS = 1000
/**
 * Maximum delay after the first write that requires maintenance. Many small writes cause no delay,
 * because rows without an index are searched more slowly.
 */
const MAX_WAIT_MS = 15_000
/**
 * After this time without writes, fewer unindexed rows trigger maintenance. During a bulk load they
 * may be a tenth of all rows.
 */
const REST_MS = 3000

/** Schedules maintenance after writes, and maintenance that an earlier process did not finish. */
export type AutoMaintenance = {
  /** Schedules maintenance after writes and first reads; serializes other work on whole files. */
  layer: StorageLayer
  /** Checks all used memories for maintenance that is due by time; call it periodically. */
  rescheduleAll(): void
  /** Stops scheduling maintenance and signals the running one to stop. */
  end(): void
  /** Ends, and waits for the running step. */
  close(): Promise<void>
}

/** The storage without layers, and the lease that excludes other processes. */
export type AutoMaintenanceDeps = { storage: MemoryFile & PendingMaintenance; log: Log; tasks?: ExclusiveTasks }

/**
 * Maintains one memory at a time in the background: two runs on one memory conflict, and one run
 * uses a machine fully.
 */
export function createAutoMaintenance(deps: AutoMaintenanceDeps): AutoMaintenance {
  const { takeTurn, noteRead, noteWrite, forget, ...rest } = createSchedule(deps)
  const layer: StorageLayer = (inner) => ({
    async readRows(memoryId, found) {
      const chunks = await inner.readRows(memoryId, found)
      noteRead(memoryId)
      return chunks
    },
    async add(memoryId, chunks, options) {
      await inner.add(memoryId, chunks, options)
      noteWrite(memoryId)
    },
    async deleteDocuments(memoryId, documentIds, options) {
      await inner.deleteDocuments(memoryId, documentIds, options)
      noteWrite(memoryId)
    },
    purgeDeletedRows: (memoryId) => takeTurn(memoryId, null, () => inner.purgeDeletedRows(memoryId)),
    deleteVersionsBefore: (memoryId, version) =>
      takeTurn(memoryId, false, () => inner.deleteVersionsBefore(memoryId, version)),
    reclaimSpace: (memoryId) =>
      takeTurn(memoryId, null, () => inner.reclaimSpace(memoryId))
        // Removed indexes are rebuilt.
        .finally(() => noteWrite(memoryId)),
    async drop(memoryId) {
      forget(memoryId)
      await inner.drop(memoryId)
    },
  })
  return { layer, ...rest }
}

/** Schedules maintenance and runs it. */
function createSchedule({ storage, log, tasks = createLocalTasks() }: AutoMaintenanceDeps) {
  const known = new Set<string>()
  const waiting = new Map<string, { dueSince: number | null; timer: NodeJS.Timeout }>()
  const running = new Set<string>()
  const ending = new AbortController()
  const turns = createSemaphore(1)

  async function maintain(memoryId: string): Promise<void> {
    waiting.delete(memoryId)
    if (ending.signal.aborted) return
    if (!storage.needsMaintenance(memoryId, true)) return storage.prepareSearches(memoryId)
    running.add(memoryId)
    let wasDone = false
    try {
      // If another process has the lease, the next check finds the remaining work.
      wasDone = await tasks.run(`maintenance of ${memoryId}`, () => storage.maintain(memoryId, ending.signal))
    } catch (err) {
      log.warn({ err, memoryId }, 'The maintenance of a memory file was postponed.')
    } finally {
      running.delete(memoryId)
    }
    // More rows may have been written meanwhile.
    if (wasDone) schedule(memoryId)
  }

  function schedule(memoryId: string): void {
    if (ending.signal.aborted || running.has(memoryId)) return
    const before = waiting.get(memoryId)
    clearTimeout(before?.timer)
    const dueSince = storage.needsMaintenance(memoryId) ? (before?.dueSince ?? performance.now()) : null
    const delay = delayOf(dueSince, storage.isOverdue(memoryId))
    const timer = setTimeout(() => {
      void turns.run(() => maintain(memoryId))
    }, delay)
    waiting.set(memoryId, { dueSince, timer: timer.unref() })
  }

  async function loadPending(memoryId: string): Promise<void> {
    if (ending.signal.aborted) return
    try {
      await storage.loadPendingMaintenance(memoryId)
      schedule(memoryId)
    } catch (err) {
      known.delete(memoryId)
      log.warn({ err, memoryId }, 'The check of a memory file was postponed.')
    }
  }

  function end(): void {
    ending.abort()
    for (const { timer } of waiting.values()) clearTimeout(timer)
  }

  return {
    takeTurn: createTakeTurn(turns, tasks, ending.signal),
    noteRead(memoryId: string): void {
      if (known.has(memoryId)) return
      known.add(memoryId)
      void turns.run(() => loadPending(memoryId))
    },
    noteWrite(memoryId: string): void {
      known.add(memoryId)
      schedule(memoryId)
    },
    forget: (memoryId: string) => void known.delete(memoryId),
    rescheduleAll(): void {
      for (const memoryId of known) if (!waiting.has(memoryId)) schedule(memoryId)
    },
    end,
    async close() {
      end()
      await turns.run(async () => undefined)
    },
  }
}

/** Serializes other work on whole files with maintenance. */
function createTakeTurn(turns: Semaphore, tasks: ExclusiveTasks, ending: AbortSignal) {
  /** Runs work in turn; returns `otherwise` if another process has the lease. */
  return async <Value>(memoryId: string, otherwise: Value, work: () => Promise<Value>): Promise<Value> => {
    let result = otherwise
    await turns.run(async () => {
      if (ending.aborted) return
      await tasks.run(`maintenance of ${memoryId}`, async () => {
        result = await work()
      })
    })
    return result
  }
}

function delayOf(dueSince: number | null, isOverdue: boolean): number {
  if (dueSince === null) return REST_MS
  return Math.min(PAUSE_MS, Math.max(0, dueSince + (isOverdue ? 0 : MAX_WAIT_MS) - performance.now()))
}
