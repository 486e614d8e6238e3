import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { WriteBehind } from './write-behind.ts'

/** Rows of one write. */
const ROWS_A_WRITE = 1024

/**
 * Holds all rows, and puts them in the place of those a document has when it is whole: for a document that shows already, whose rows and text
 * have to fit each other while it is read again. Some thousand rows, since only documents with pages come here.
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
      // A row takes the place of the one with its number: the document is found meanwhile, and what a failed write leaves is still its text.
      if (held.length < replaced.count) await replaced.remove()
      for (let start = 0; start < held.length; start += ROWS_A_WRITE) {
        await replaced.write(held.slice(start, start + ROWS_A_WRITE))
      }
    },
  }
}
