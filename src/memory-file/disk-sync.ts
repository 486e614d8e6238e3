import { join } from 'node:path'
import { nothingSynced, ShortFileError, type SyncedFiles, syncCommit, syncFiles } from './sync-files.ts'
import { setAsideBehind } from './torn-version.ts'

/** Memory files whose flushed files are remembered; flushing those of another one again only costs time. */
const MOST_SYNCED = 200

/** Forces what Lance wrote to the disk, memory file by memory file. */
export type DiskSync = {
  /** All files of a memory file; `version` is one that was there before the call. */
  all(memoryId: string, version: number): Promise<void>
  /** What the commit wrote that made `version`. */
  commit(memoryId: string, version: number): Promise<void>
  /** Forgets a memory file that is gone. */
  forget(memoryId: string): void
}

/** For memory files in a bucket, where what was written is durable. */
const NO_SYNC: DiskSync = { all: async () => undefined, commit: async () => undefined, forget: () => undefined }

/**
 * For the memory files in a folder; `null`: they lie in no folder, and nothing has to be forced. Where a file is too short for the version that names it, `onShort` is told
 * of the memory before the caller, whose commit is to be as if it had not been.
 */
export function createDiskSync(folder: string | null, onShort: (memoryId: string) => void): DiskSync {
  if (folder === null) return NO_SYNC
  // In order of last use, oldest first.
  const synced = new Map<string, SyncedFiles>()

  function syncedOf(memoryId: string): SyncedFiles {
    const files = synced.get(memoryId) ?? nothingSynced()
    synced.delete(memoryId)
    synced.set(memoryId, files)
    for (const oldest of synced.keys()) {
      if (synced.size <= MOST_SYNCED) break
      synced.delete(oldest)
    }
    return files
  }

  const measured = async (memoryId: string, sync: (files: SyncedFiles) => Promise<void>): Promise<void> => {
    const files = syncedOf(memoryId)
    try {
      await sync(files)
    } catch (error) {
      if (!(error instanceof ShortFileError)) throw error
      // Another version may stand on the short one by now, of an upkeep beside the add.
      if (files.version !== null) await setAsideBehind(folder, memoryId, files.version)
      onShort(memoryId)
      throw error
    }
  }

  const pathOf = (memoryId: string) => join(folder, `${memoryId}.lance`)
  return {
    all: (memoryId, version) =>
      measured(memoryId, async (files) => {
        if (files.version !== version) await syncFiles(pathOf(memoryId), files, version)
      }),
    commit: (memoryId, version) => measured(memoryId, (files) => syncCommit(pathOf(memoryId), files, version)),
    forget: (memoryId) => void synced.delete(memoryId),
  }
}
