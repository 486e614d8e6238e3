import type { ParseEvent } from '../parse-event.ts'

/** Takes what a reader found, in order. */
export type Emit = (event: ParseEvent) => void

/**
 * Turns text that comes in pieces into blocks. The concatenation of the blocks is the concatenation of the pieces; nothing
 * is emitted later than a bounded number of characters after it came, so that memory stays flat.
 */
export type BlockReader = {
  /** Throws `unprocessable_document` when the text is not what the format demands. */
  write(text: string): void
  /** What is still held comes out; nothing may be written afterwards. */
  end(): void
}

/** Makes a reader. `head` is the beginning of the text (all of it, or at least 64 KB), to tell a dialect by; it is written again. */
export type CreateReader = (emit: Emit, head: string) => BlockReader

/** No block is longer, in UTF-16 code units. A chunk is about 1,000, so this is room for any honest paragraph. */
export const MAX_BLOCK_CHARACTERS = 8000
