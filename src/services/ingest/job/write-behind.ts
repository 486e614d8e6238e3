import type { ChunkRow } from '../../../memory-file/memory-file.ts'

/** Rows of one write: as many as the memory file takes in one commit, which costs the same for a few. */
const ROWS_A_WRITE = 1024

/** Writes rows in the order they came, many at a time, while the next are being made. */
export type WriteBehind = {
  /** Resolves when there is room for more: at most two writes' rows are held. Rejects when an earlier write failed. */
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
