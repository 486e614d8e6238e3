import type { Log } from '../log.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'

/**
 * A memory file that is maintained when its writes call for it: one memory at a time, behind the callers' backs, since
 * two optimizers on one memory conflict and one is work enough for a machine. `close` waits for the one under way.
 */
export function maintained(memoryFile: MemoryFile, log: Log): MemoryFile {
  const due = new Set<string>()
  let running: Promise<void> | null = null
  let isClosed = false

  async function work(): Promise<void> {
    for (const memoryId of due) {
      due.delete(memoryId)
      if (isClosed) return
      try {
        await memoryFile.maintain(memoryId)
      } catch (err) {
        log.warn({ err, memoryId }, 'left for the next time: the maintenance of a memory file')
      }
    }
  }

  function look(memoryId: string): void {
    if (isClosed || !memoryFile.needsMaintenance(memoryId)) return
    due.add(memoryId)
    running ??= work().finally(() => {
      running = null
    })
  }

  return {
    ...memoryFile,
    async add(memoryId, chunks) {
      await memoryFile.add(memoryId, chunks)
      look(memoryId)
    },
    async remove(memoryId, documentIds) {
      await memoryFile.remove(memoryId, documentIds)
      look(memoryId)
    },
    async close() {
      isClosed = true
      await running
      await memoryFile.close()
    },
  }
}
