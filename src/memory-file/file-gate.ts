import { createSemaphore } from '../concurrency/semaphore.ts'
import { isOutOfFiles } from '../errors.ts'

/**
 * Approximate number of files that one operation on a memory file opens: twice the maximum measured
 * with 40 and 150 fragments.
 */
export const FILES_OPENED = { search: 16, write: 24 } as const

/** Used when the process's limit on open files is unknown. */
const DEFAULT_MAX_FILES = 4096

/** Limits the files that operations on memory files open at the same time. */
export type FileGate = {
  /**
   * Runs work that opens about `files` files as soon as there is room, first come first served. If
   * the process still runs out of file handles, runs the work once more with no other work beside
   * it (`isRepeated`). Rejects as the work does.
   */
  run<Result>(files: number, work: (isRepeated: boolean) => Promise<Result>): Promise<Result>
}

/**
 * A gate of `maxFiles`. `onOutOfFiles` is called each time the process runs out of file handles.
 */
export function createFileGate({
  maxFiles = DEFAULT_MAX_FILES,
  onOutOfFiles = () => undefined,
}: {
  maxFiles?: number | undefined
  onOutOfFiles?: (() => void) | undefined
}): FileGate {
  const files = createSemaphore(maxFiles)
  return {
    async run(count, work) {
      for (let isRepeated = false; ; isRepeated = true) {
        const giveBack = await files.take(isRepeated ? maxFiles : count)
        try {
          return await work(isRepeated)
        } catch (error) {
          if (isRepeated || !isOutOfFiles(error)) throw error
          onOutOfFiles()
        } finally {
          giveBack()
        }
      }
    },
  }
}

/**
 * Approximate number of files that reading rows opens: the files of a search, and one for each
 * fragment. The upper 32 bits of a row id are the fragment (Lance, "row address").
 */
export function countFiles(found: readonly { row: bigint }[]): number {
  return FILES_OPENED.search + new Set(found.map(({ row }) => row >> 32n)).size
}
