import type { ChunkRow } from '../../../memory-file/memory-file.ts'

/**
 * Rows of one write: as many as the memory file takes in one commit, which costs the same for a
 * few.
 */
const ROWS_A_WRITE = 1024

/** Writes rows in the order they came, many at a time, while the next are being made. */
export type WriteBehind = {
  /**
   * Resolves when there is room for more: at most two writes' rows are held. Rejects when an
   * earlier write failed.
   */
  add(rows: readonly ChunkRow[]): Promise<void>
  /** Resolves when everything is written; rejects when something is not. */
  finish(): Promise<void>
}

/** Over `write`, of which one call runs at a time. */
export function createWriteBehind(write: (rows: readonly ChunkRow[]) => Promise<void>): WriteBehind {
  let held: ChunkRow[] = []
  let writing: Promise<void> = Promise.resolve()

  async function writeHeld(): Promise<void> {
    await writing
    const rows = held
    held = []
    if (rows.length === 0) return
    writing = write(rows)
    // Its failure is the next caller's; without one it would end the process.
    writing.catch(() => undefined)
  }

  return {
    async add(rows) {
      held.push(...rows)
      if (held.length >= ROWS_A_WRITE) await writeHeld()
    },
    async finish() {
      await writeHeld()
      await writing
    },
  }
}

/**
 * Holds all rows, and puts them in the place of those a document has when it is whole: for a
 * document that shows already, whose rows and text have to fit each other while it is read again.
 * Some thousand rows, since only documents with pages come here.
 */
export function createWriteAtEnd(replaced: {
  /** Rows that the document has. */
  count: number
  remove: () => Promise<void>
  write: (rows: readonly ChunkRow[]) => Promise<void>
}): WriteBehind {
  const held: ChunkRow[] = []
  return {
    async add(rows) {
      held.push(...rows)
    },
    async finish() {
      // A row takes the place of the one with its number: the document is found meanwhile, and what
      // a failed write leaves is still its text.
      if (held.length < replaced.count) await replaced.remove()
      for (let start = 0; start < held.length; start += ROWS_A_WRITE) {
        await replaced.write(held.slice(start, start + ROWS_A_WRITE))
      }
    },
  }
}
