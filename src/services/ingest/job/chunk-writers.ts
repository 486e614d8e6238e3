import type { ChunkRow, MemoryFile } from '../../../memory-file/memory-file.ts'

/**
 * Rows per write: the batch of one commit of the memory file. A commit costs the same for a few
 * rows.
 */
const ROWS_PER_WRITE = 1024

/** Writes rows in order and in batches, while the next rows are computed. */
export type WriteBehind = {
  /**
   * Resolves when there is room for more rows: at most two batches are held. Rejects when an
   * earlier write failed.
   */
  add(rows: readonly ChunkRow[]): Promise<void>
  /** Resolves when all rows are written; rejects when a write failed. */
  finish(): Promise<void>
}

/** At most one call of `write` runs at a time. */
export function createWriteBehind(write: (rows: readonly ChunkRow[]) => Promise<void>): WriteBehind {
  let held: ChunkRow[] = []
  let writing: Promise<void> = Promise.resolve()

  async function writeHeld(): Promise<void> {
    await writing
    const rows = held
    held = []
    if (rows.length === 0) return
    writing = write(rows)
    // The next caller gets the failure; without a handler, the rejection would end the process.
    writing.catch(() => undefined)
  }

  return {
    async add(rows) {
      held.push(...rows)
      if (held.length >= ROWS_PER_WRITE) await writeHeld()
    },
    async finish() {
      await writeHeld()
      await writing
    },
  }
}

/**
 * Holds all rows, then replaces the document's rows at the end: for a live document that is read
 * again, whose rows and text must match. Some thousand rows at most, since only documents with
 * pages are read again.
 */
export function createBufferedReplace(replaced: {
  /** Current number of rows. */
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
      // A new row overwrites the row with its index. The document stays searchable, and a failed
      // write leaves rows of the same text.
      if (held.length < replaced.count) await replaced.remove()
      for (let start = 0; start < held.length; start += ROWS_PER_WRITE) {
        await replaced.write(held.slice(start, start + ROWS_PER_WRITE))
      }
    },
  }
}

/** Chunks of several small documents per write. */
const CHUNKS_PER_WRITE = 256

/** Collects chunks of several small documents of a memory for one write. */
export type ChunkBuffer = {
  write(memoryId: string, rows: readonly ChunkRow[]): Promise<void>
  /** Writes the collected chunks; call at the end. */
  flush(memoryId: string): Promise<void>
  /** Forgets the chunks of a document that are not written yet. */
  drop(documentId: string): void
}

/** An empty buffer in front of `memoryFile`. */
export function createChunkBuffer({ memoryFile }: { memoryFile: Pick<MemoryFile, 'add'> }): ChunkBuffer {
  let waiting: ChunkRow[] = []

  async function flush(memoryId: string): Promise<void> {
    const rows = waiting
    waiting = []
    if (rows.length > 0) await memoryFile.add(memoryId, rows)
  }

  return {
    async write(memoryId, rows) {
      waiting.push(...rows)
      if (waiting.length >= CHUNKS_PER_WRITE) await flush(memoryId)
    },
    flush,
    drop(documentId) {
      waiting = waiting.filter((row) => row.documentId !== documentId)
    },
  }
}
