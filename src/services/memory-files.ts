import type { Kysely } from 'kysely'
import { withTimeout } from '../concurrency/wait.ts'
import { countChunks, currentFileOf, getFilesOfMemory } from '../database/memories/memories-table.ts'
import type { Memory, Tables } from '../database/schema.ts'
import { ApiError } from '../errors.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'

/** Maximum wait for the existence check of a file. */
const EXISTENCE_TIMEOUT_MS = 1000

/** A layer around the chunk storage: returns the functions that it replaces. */
export type StorageLayer = (inner: MemoryFile) => Partial<MemoryFile>

/** Wraps the storage in layers; the first is the innermost. */
export function withLayers(storage: MemoryFile, layers: readonly StorageLayer[]): MemoryFile {
  let layered = storage
  for (const layer of layers) layered = { ...layered, ...layer(layered) }
  return layered
}

/**
 * Memory files by memory ID: each call uses the current file in the row of the memory. During a
 * re-embedding, deletions also apply to the new file.
 */
export type MemoryFiles = MemoryFile & {
  /** Memory files by file name, for callers that have read the row of the memory. */
  byName: MemoryFile
  /**
   * Uses one file for all calls, even if the row of the memory changes meanwhile. A query and its
   * vectors then come from one model. A replaced file stays readable for some minutes.
   */
  named(name: string): MemoryFile
}

/** Resolves memory IDs by the database; `files` opens files by name. */
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
 * Rejects with `data_damaged` if a memory with chunks has no file. Otherwise searches would find
 * nothing, and an add would create an empty file. A memory that was deleted meanwhile passes.
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

/**
 * Returns true if the store does not respond: jobs are accepted during an outage, and later reads
 * or writes report it.
 */
async function mayBeThere(memoryFile: Pick<MemoryFiles, 'exists'>, memoryId: string): Promise<boolean> {
  const found = memoryFile.exists(memoryId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'service_unavailable') return true
    throw error
  })
  return withTimeout(found, EXISTENCE_TIMEOUT_MS, true)
}

type Call = (name: string, ...asked: unknown[]) => Promise<unknown>

/** All functions except `scan`, which returns no promise. The first argument is the file name. */
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

/** Replaces the first argument of each function by the name that `nameOf` returns. */
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
