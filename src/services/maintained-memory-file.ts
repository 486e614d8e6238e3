import type { MemoryFile, PendingMaintenance } from '../memory-file/memory-file.ts'
import type { Log } from '../observability/log.ts'
import type { StorageLayer } from './memory-files.ts'
import { createLocalTasks, type ExclusiveTasks } from './nodes/exclusive-tasks.ts'

/** Maintenance waits for a pause in the writes of so long: a bulk load is put in order once, not at every tenth of it. */
const PAUSE_MS = 1000
/** But no longer than this from the first write that called for it, and not at all where many small writes have gathered: what is not indexed is searched more slowly. */
const MAX_WAIT_MS = 15_000
/** Without a write for so long a memory is at rest, and fewer rows outside the index are enough: behind a bulk load they may be a tenth. */
const REST_MS = 3000

/** Maintenance that writes call for, or what a process before this one left undone. */
export type AutoMaintenance = {
  /** Schedules maintenance after writes and first reads, and gives other work on whole files its turn. */
  layer: StorageLayer
  /** Looks at every memory read or written, for what falls due by time alone; to be called now and then. */
  rescheduleAll(): void
  /** Begins no more maintenance, and tells the one under way to leave the rest for the next time. */
  end(): void
  /** The same, and waits for the step that is under way. */
  close(): Promise<void>
}

/** What maintenance works with: the storage without its layers, and what keeps other processes from the same file. */
export type AutoMaintenanceDeps = { storage: MemoryFile & PendingMaintenance; log: Log; tasks?: ExclusiveTasks }

/**
 * Maintenance of one memory at a time, behind the callers' backs, since two optimizers on one memory conflict and one is
 * work enough for a machine.
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
        // Indexes that went are made again.
        .finally(() => noteWrite(memoryId)),
    async drop(memoryId) {
      forget(memoryId)
      await inner.drop(memoryId)
    },
  })
  return { layer, ...rest }
}

/** Which memories are to be maintained when, and doing it. */
function createSchedule({ storage, log, tasks = createLocalTasks() }: AutoMaintenanceDeps) {
  const known = new Set<string>()
  const waiting = new Map<string, { dueSince: number | null; timer: NodeJS.Timeout }>()
  const running = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  const ending = new AbortController()

  async function maintain(memoryId: string): Promise<void> {
    waiting.delete(memoryId)
    if (ending.signal.aborted || !storage.needsMaintenance(memoryId, true)) return
    running.add(memoryId)
    let wasDone = false
    try {
      // Where another process is at it, the next look finds what that one left.
      wasDone = await tasks.run(`maintenance of ${memoryId}`, () => storage.maintain(memoryId, ending.signal))
    } catch (err) {
      log.warn({ err, memoryId }, 'left for the next time: the maintenance of a memory file')
    } finally {
      running.delete(memoryId)
    }
    // Meanwhile more may have been written.
    if (wasDone) schedule(memoryId)
  }

  function schedule(memoryId: string): void {
    if (ending.signal.aborted || running.has(memoryId)) return
    const before = waiting.get(memoryId)
    clearTimeout(before?.timer)
    const dueSince = storage.needsMaintenance(memoryId) ? (before?.dueSince ?? performance.now()) : null
    const delay = dueSince === null ? REST_MS : Math.min(PAUSE_MS, leftToWait(dueSince, storage.isOverdue(memoryId)))
    const timer = setTimeout(() => {
      last = last.then(() => maintain(memoryId))
    }, delay)
    waiting.set(memoryId, { dueSince, timer: timer.unref() })
  }

  /** Work that is upkeep's, too: in its turn, and `otherwise` where another process is at it. */
  async function takeTurn<Value>(memoryId: string, otherwise: Value, work: () => Promise<Value>): Promise<Value> {
    let result = otherwise
    const turn = last.then(async () => {
      if (ending.signal.aborted) return
      await tasks.run(`maintenance of ${memoryId}`, async () => {
        result = await work()
      })
    })
    last = turn.catch(() => undefined)
    await turn
    return result
  }

  async function loadPending(memoryId: string): Promise<void> {
    if (ending.signal.aborted) return
    try {
      await storage.loadPendingMaintenance(memoryId)
      schedule(memoryId)
    } catch (err) {
      known.delete(memoryId)
      log.warn({ err, memoryId }, 'left for the next time: a look into a memory file')
    }
  }

  function end(): void {
    ending.abort()
    for (const { timer } of waiting.values()) clearTimeout(timer)
  }

  return {
    takeTurn,
    noteRead(memoryId: string): void {
      if (known.has(memoryId)) return
      known.add(memoryId)
      last = last.then(() => loadPending(memoryId))
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
      await last
    },
  }
}

function leftToWait(dueSince: number, isOverdue: boolean): number {
  return Math.max(0, dueSince + (isOverdue ? 0 : MAX_WAIT_MS) - performance.now())
}
