import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Options for writing: a transform, and a signal that cancels. */
export type WriteOptions = {
  through?: (content: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>
  signal?: AbortSignal | undefined
}

/**
 * Writes content to a new file with mode 0600. Rejects with `EEXIST` if the file exists, with
 * errors of the content or the disk, and with `AbortError` on abort. The caller deletes a partial
 * file.
 *
 * On failure a stream is destroyed and an iterable is not read further. After settling, the file is
 * never created or written again. `pipeline` alone may reject before the file is created, so a
 * deletion by the caller could come too early.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Buffer | Uint8Array>,
  { through, signal }: WriteOptions = {},
): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>((close) => file.once('close', close))
  try {
    if (through === undefined) await pipeline(content, file, { signal })
    else await pipeline(content as AsyncIterable<Buffer>, through, file, { signal })
  } finally {
    file.destroy()
    await closed
  }
}
