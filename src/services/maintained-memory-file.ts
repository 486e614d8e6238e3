import type { MemoryFile } from '../memory-file/memory-file.ts'
import type { Log } from '../observability/log.ts'
import { createOwnTasks, type ExclusiveTasks } from './nodes/exclusive-tasks.ts'

/** Maintenance waits for a pause in the writes of so long: a bulk load is put in order once, not at every tenth of it. */
const PAUSE_MS = 1000
/** But no longer than this from the first write that called for it, and not at all where many small writes have gathered: what is not indexed is searched more slowly. */
const MAX_WAIT_MS = 15_000
/** Without a write for so long a memory is at rest, and fewer rows outside the index are enough: behind a bulk load they may be a tenth. */
const REST_MS = 3000

/** A memory file that keeps itself in order. */
export type MaintainedMemoryFile = MemoryFile & {
  /** Looks at every memory read or written, for what falls due by time alone; to be called now and then. */
  lookAgain(): void
  /** Begins no more maintenance, and tells the one under way to leave the rest for the next time; `close` waits for it. */
  endMaintenance(): void
}

/**
 * A memory file that is maintained when its writes call for it, or what a process before this one left undone: one memory at a time, behind the
 * callers' backs, since two optimizers on one memory conflict and one is work enough for a machine; `tasks` keeps other processes from it. `close`
 * waits for the step that is under way, and leaves the rest for the next time.
 */
export function maintained(
  memoryFile: MemoryFile,
  log: Log,
  tasks: ExclusiveTasks = createOwnTasks(),
): MaintainedMemoryFile {
  const maintenance = createMaintenance(memoryFile, log, tasks)
  return {
    ...memoryFile,
    async readFound(memoryId, found) {
      const chunks = await memoryFile.readFound(memoryId, found)
      maintenance.noteRead(memoryId)
      return chunks
    },
    async add(memoryId, chunks, options) {
      await memoryFile.add(memoryId, chunks, options)
      maintenance.noteWrite(memoryId)
    },
    async remove(memoryId, documentIds, options) {
      await memoryFile.remove(memoryId, documentIds, options)
      maintenance.noteWrite(memoryId)
    },
    rewriteRemoved: (memoryId) => maintenance.takeTurn(memoryId, null, () => memoryFile.rewriteRemoved(memoryId)),
    dropVersionsBefore: (memoryId, version) =>
      maintenance.takeTurn(memoryId, false, () => memoryFile.dropVersionsBefore(memoryId, version)),
    reclaim: (memoryId) =>
      maintenance
        .takeTurn(memoryId, null, () => memoryFile.reclaim(memoryId))
        // Indexes that went are made again.
        .finally(() => maintenance.noteWrite(memoryId)),
    async drop(memoryId) {
      maintenance.forget(memoryId)
      await memoryFile.drop(memoryId)
    },
    lookAgain: maintenance.lookAgain,
    endMaintenance: maintenance.end,
    async close() {
      maintenance.end()
      await maintenance.ended()
      await memoryFile.close()
    },
  }
}

/** Which memories are to be maintained when, and doing it. */
function createMaintenance(memoryFile: MemoryFile, log: Log, tasks: ExclusiveTasks) {
  const known = new Set<string>()
  const waiting = new Map<string, { dueSince: number | null; timer: NodeJS.Timeout }>()
  const running = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  const ending = new AbortController()

  async function maintain(memoryId: string): Promise<void> {
    waiting.delete(memoryId)
    if (ending.signal.aborted || !memoryFile.needsMaintenance(memoryId, true)) return
    running.add(memoryId)
    let wasDone = false
    try {
      // Where another process is at it, the next look finds what that one left.
      wasDone = await tasks.run(`maintenance of ${memoryId}`, () => memoryFile.maintain(memoryId, ending.signal))
    } catch (err) {
      log.warn({ err, memoryId }, 'left for the next time: the maintenance of a memory file')
    } finally {
      running.delete(memoryId)
    }
    // Meanwhile more may have been written.
    if (wasDone) look(memoryId)
  }

  function look(memoryId: string): void {
    if (ending.signal.aborted || running.has(memoryId)) return
    const before = waiting.get(memoryId)
    clearTimeout(before?.timer)
    const dueSince = memoryFile.needsMaintenance(memoryId) ? (before?.dueSince ?? performance.now()) : null
    const delay = dueSince === null ? REST_MS : Math.min(PAUSE_MS, leftToWait(memoryId, dueSince))
    const timer = setTimeout(() => {
      last = last.then(() => maintain(memoryId))
    }, delay)
    waiting.set(memoryId, { dueSince, timer: timer.unref() })
  }

  function leftToWait(memoryId: string, dueSince: number): number {
    const mostWait = memoryFile.isOverdue(memoryId) ? 0 : MAX_WAIT_MS
    return Math.max(0, dueSince + mostWait - performance.now())
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

  async function lookInto(memoryId: string): Promise<void> {
    if (ending.signal.aborted) return
    try {
      await memoryFile.lookInto(memoryId)
      look(memoryId)
    } catch (err) {
      known.delete(memoryId)
      log.warn({ err, memoryId }, 'left for the next time: a look into a memory file')
    }
  }

  return {
    takeTurn,
    noteRead(memoryId: string): void {
      if (known.has(memoryId)) return
      known.add(memoryId)
      last = last.then(() => lookInto(memoryId))
    },
    noteWrite(memoryId: string): void {
      known.add(memoryId)
      look(memoryId)
    },
    forget: (memoryId: string) => void known.delete(memoryId),
    lookAgain(): void {
      for (const memoryId of known) if (!waiting.has(memoryId)) look(memoryId)
    },
    end(): void {
      ending.abort()
      for (const { timer } of waiting.values()) clearTimeout(timer)
    },
    ended: () => last,
  }
}
