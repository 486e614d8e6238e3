import { open } from 'node:fs/promises'

/** Random access to bytes: a file on disk, or a file inside another. */
export type ByteSource = {
  readonly bytes: number
  /** Returns the bytes from `offset`; fewer than `length` at the end. */
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/** Opens a file for reading; rejects as `fs.open` does. The caller closes the source. */
export async function openFileBytes(path: string): Promise<ByteSource> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  return {
    bytes: size,
    async read(offset, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}

/** Yields from `read` and closes the file when the iteration ends. */
export async function* readOpenFile<Item>(
  path: string,
  read: (source: ByteSource) => AsyncIterable<Item>,
): AsyncGenerator<Item, void> {
  const source = await openFileBytes(path)
  try {
    yield* read(source)
  } finally {
    await source.close()
  }
}

/** Reads from memory. */
export function bufferBytes(buffer: Buffer): ByteSource {
  return {
    bytes: buffer.length,
    read: async (offset, length) => buffer.subarray(offset, offset + length),
    close: async () => {},
  }
}
