import type { Kysely } from 'kysely'
import { withTimeout } from '../concurrency/wait.ts'
import { countChunks, currentFileOf, getFilesOfMemory } from '../database/memories/memories-table.ts'
import type { Memory, Tables } from '../database/schema.ts'
import { ApiError } from '../errors.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'

/** How long an answer to whether a file is there is waited for. */
const EXISTENCE_TIMEOUT_MS = 1000

/** What is put around the storage of chunks: the functions that it changes, over those of the storage within. */
export type StorageLayer = (inner: MemoryFile) => Partial<MemoryFile>

/** The storage with these layers around it, the innermost first. */
export function withLayers(storage: MemoryFile, layers: readonly StorageLayer[]): MemoryFile {
  let layered = storage
  for (const layer of layers) layered = { ...layered, ...layer(layered) }
  return layered
}

/**
 * The memory files by the memory: each call goes to the file that the memory's row names at that moment. Where a
 * re-embedding is making another, what is removed goes from that one, too.
 */
export type MemoryFiles = MemoryFile & {
  /** The same by the name of a file. What read a memory's row goes on with the file that it names. */
  byName: MemoryFile
  /**
   * The one file of this name, which a memory's row named a moment ago: all that is asked of a memory goes to it, with the
   * vectors of one model, whatever the row names by then. A file that was replaced can be read for some minutes.
   */
  named(name: string): MemoryFile
}

/** The files of the memories of this database; `files` has them by their names. */
export function createMemoryFiles({ db, files }: { db: Kysely<Tables>; files: MemoryFile }): MemoryFiles {
  async function nameOf(memoryId: string): Promise<string> {
    const memory = await getFilesOfMemory(db, memoryId)
    return memory === null ? memoryId : currentFileOf(memory)
  }
  return {
    ...underNames(files, nameOf),
    async deleteDocuments(memoryId, documentIds, options) {
      const memory = await getFilesOfMemory(db, memoryId)
      await files.deleteDocuments(memory === null ? memoryId : currentFileOf(memory), documentIds, options)
      if (memory !== null && memory.next_file !== null)
        await files.deleteDocuments(memory.next_file, documentIds, options)
    },
    byName: files,
    named: (name) => underNames(files, async () => name),
  }
}

/**
 * Rejects with `data_damaged` where a memory of which chunks are counted has no file, unless it was deleted meanwhile:
 * nothing would be found in it, and an add would make an empty one.
 */
export async function requireFile(
  { db, memoryFile }: { db: Kysely<Tables>; memoryFile: Pick<MemoryFiles, 'exists'> },
  { id, chunk_count }: Pick<Memory, 'id' | 'chunk_count'>,
): Promise<void> {
  if (chunk_count === 0 || (await mayBeThere(memoryFile, id)) || (await countChunks(db, id)) === 0) return
  throw new ApiError('data_damaged', {
    message: 'The file of this memory is missing, so searches find nothing.',
    remedy: 'Do not retry. Restore a backup, or rebuild the file from the texts with recollect doctor --storage --fix.',
  })
}

/** A store that does not answer says nothing of a file: jobs are taken on in an outage, and what reads or writes the file hears of it. */
async function mayBeThere(memoryFile: Pick<MemoryFiles, 'exists'>, memoryId: string): Promise<boolean> {
  const found = memoryFile.exists(memoryId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'service_unavailable') return true
    throw error
  })
  return withTimeout(found, EXISTENCE_TIMEOUT_MS, true)
}

type Call = (name: string, ...asked: unknown[]) => Promise<unknown>

/** All calls but a scan, which is no promise: every one names its file first. */
const CALLS: Record<Exclude<keyof MemoryFile, 'scan'>, true> = {
  add: true,
  deleteDocuments: true,
  searchLexical: true,
  searchNear: true,
  searchVector: true,
  readRows: true,
  listRowIds: true,
  read: true,
  count: true,
  exists: true,
  inspect: true,
  rebuildIndexes: true,
  maintain: true,
  purgeDeletedRows: true,
  deleteVersionsBefore: true,
  reclaimSpace: true,
  drop: true,
}

/** The files under names that `nameOf` finds. */
function underNames(files: MemoryFile, nameOf: (memoryId: string) => Promise<string>): MemoryFile {
  const calls = (Object.keys(CALLS) as (keyof typeof CALLS)[]).map((method) => {
    const call = files[method] as Call
    return [method, async (memoryId: string, ...asked: unknown[]) => call(await nameOf(memoryId), ...asked)] as const
  })
  const scan: MemoryFile['scan'] = async function* (memoryId, options) {
    yield* files.scan(await nameOf(memoryId), options)
  }
  return { ...(Object.fromEntries(calls) as Omit<MemoryFile, 'scan'>), scan }
}
