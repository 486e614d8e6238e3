import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { countChunks, fileOf, getFiles } from '../database/memories/memories-table.ts'
import type { Memory, Tables } from '../database/schema.ts'
import { ApiError } from '../errors.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'

/** How long an answer to whether a file is there is waited for. */
const EXISTENCE_MS = 1000

/** What may be asked of a memory's file. */
export type FileOfMemory = Omit<MemoryFile, 'lookInto' | 'needsMaintenance' | 'isOverdue' | 'close'>

/**
 * The memory files by the memory: each call goes to the file that the memory's row names at that moment. Where a re-embedding is making another, what is
 * removed goes from that one, too.
 */
export type MemoryFiles = FileOfMemory & {
  /**
   * The one file of this name, which a memory's row named a moment ago: all that is done with it goes together, with the vectors of one model, whatever
   * the row names by then. A file that was replaced can be read for some minutes.
   */
  named(name: string): FileOfMemory
}

/** The files of the memories of this database; `files` has them by their names. */
export function createMemoryFiles({ db, files }: { db: Kysely<Tables>; files: FileOfMemory }): MemoryFiles {
  async function nameOf(memoryId: string): Promise<string> {
    const memory = await getFiles(db, memoryId)
    return memory === null ? memoryId : fileOf(memory)
  }
  const current = byNames(files, nameOf)
  return {
    ...current,
    async remove(memoryId, documentIds, options) {
      const memory = await getFiles(db, memoryId)
      await files.remove(memory === null ? memoryId : fileOf(memory), documentIds, options)
      if (memory !== null && memory.next_file !== null) await files.remove(memory.next_file, documentIds, options)
    },
    named: (name) => byNames(files, async () => name),
  }
}

/** Rejects with `data_damaged` where a memory of which chunks are counted has no file, unless it was deleted meanwhile: nothing would be found in it, and an add would make an empty one. */
export async function requireFile(
  { db, memoryFile }: { db: Kysely<Tables>; memoryFile: Pick<MemoryFiles, 'isThere'> },
  { id, chunk_count }: Pick<Memory, 'id' | 'chunk_count'>,
): Promise<void> {
  if (chunk_count === 0 || (await mayBeThere(memoryFile, id)) || (await countChunks(db, id)) === 0) return
  throw new ApiError('data_damaged', {
    message: 'The file of this memory is missing, so that nothing in it can be found.',
    remedy:
      'Do not try again. Whoever runs the service restores it from a backup, or has it made again from the texts: recollect doctor --fix.',
  })
}

/** A store that does not answer says nothing of a file: jobs are taken on in an outage, and what reads or writes the file hears of it. */
async function mayBeThere(memoryFile: Pick<MemoryFiles, 'isThere'>, memoryId: string): Promise<boolean> {
  const patience = pause(EXISTENCE_MS, true, { ref: false })
  const found = memoryFile.isThere(memoryId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'service_unavailable') return true
    throw error
  })
  return Promise.race([found, patience])
}

/** The files under names that `nameOf` finds. Written out, so that nothing is ever asked of a file by another name. */
function byNames(files: FileOfMemory, nameOf: (memoryId: string) => Promise<string>): FileOfMemory {
  return {
    add: async (memoryId, chunks, options) => files.add(await nameOf(memoryId), chunks, options),
    remove: async (memoryId, documentIds, options) => files.remove(await nameOf(memoryId), documentIds, options),
    searchLexical: async (memoryId, ...search) => files.searchLexical(await nameOf(memoryId), ...search),
    searchNear: async (memoryId, ...search) => files.searchNear(await nameOf(memoryId), ...search),
    searchVector: async (memoryId, ...search) => files.searchVector(await nameOf(memoryId), ...search),
    readFound: async (memoryId, found) => files.readFound(await nameOf(memoryId), found),
    listRows: async (memoryId, documentId) => files.listRows(await nameOf(memoryId), documentId),
    read: async (memoryId, documentId) => files.read(await nameOf(memoryId), documentId),
    async *scan(memoryId, options) {
      yield* files.scan(await nameOf(memoryId), options)
    },
    count: async (memoryId) => files.count(await nameOf(memoryId)),
    maintain: async (memoryId, signal) => files.maintain(await nameOf(memoryId), signal),
    isThere: async (memoryId) => files.isThere(await nameOf(memoryId)),
    inspect: async (memoryId) => files.inspect(await nameOf(memoryId)),
    renewIndexes: async (memoryId) => files.renewIndexes(await nameOf(memoryId)),
    rewriteRemoved: async (memoryId) => files.rewriteRemoved(await nameOf(memoryId)),
    dropVersionsBefore: async (memoryId, version) => files.dropVersionsBefore(await nameOf(memoryId), version),
    reclaim: async (memoryId) => files.reclaim(await nameOf(memoryId)),
    drop: async (memoryId) => files.drop(await nameOf(memoryId)),
  }
}
