import { isOutOfFiles } from '../errors.ts'

/** Files that a piece of work on a memory file has open at once, about: measured with 40 and 150 fragments, twice the most that was seen. */
export const FILES_OPENED = { search: 16, write: 24 } as const

/** Where nothing says how many files the process may open. */
const DEFAULT_MAX_FILES = 4096

/** Keeps the work on memory files from opening more files at once than there may be. */
export type FileGate = {
  /**
   * Does work that opens about so many files as soon as these are free, first come first served. Where the process could open no
   * more all the same, it is done once more, alone: `isRepeated`. Rejects as the work does.
   */
  run<Result>(files: number, work: (isRepeated: boolean) => Promise<Result>): Promise<Result>
}

/** A gate for `maxFiles` at once; `onOutOfFiles` hears of each time that the process could open no more. */
export function createFileGate({
  maxFiles = DEFAULT_MAX_FILES,
  onOutOfFiles = () => undefined,
}: {
  maxFiles?: number | undefined
  onOutOfFiles?: (() => void) | undefined
}): FileGate {
  const waiting: { files: number; begin: () => void }[] = []
  let free = maxFiles

  function enter(files: number): Promise<void> | undefined {
    if (waiting.length === 0 && files <= free) {
      free -= files
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ files, begin: resolve })
    return promise
  }

  function leave(files: number): void {
    free += files
    for (let next = waiting[0]; next !== undefined && next.files <= free; next = waiting[0]) {
      free -= next.files
      waiting.shift()
      next.begin()
    }
  }

  return {
    async run(files, work) {
      for (let isRepeated = false; ; isRepeated = true) {
        const held = isRepeated ? maxFiles : Math.min(files, maxFiles)
        await enter(held)
        try {
          return await work(isRepeated)
        } catch (error) {
          if (isRepeated || !isOutOfFiles(error)) throw error
        } finally {
          leave(held)
        }
        onOutOfFiles()
      }
    },
  }
}

/** Files that reading rows opens, about: each fragment in which some lie, which a row's upper 32 bits name (Lance, "row address"), and what a search opens. */
export function countFilesOf(found: readonly { row: bigint }[]): number {
  return FILES_OPENED.search + new Set(found.map(({ row }) => row >> 32n)).size
}
