import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** How a file is written: what comes goes `through` this on its way, until the signal fires. */
export type Writing = {
  through?: (content: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>
  signal?: AbortSignal | undefined
}

/**
 * Writes content to a new file that its owner alone may read. Rejects with `EEXIST` where a file is there, with what the content or the disk fails by, and with an
 * `AbortError` by the signal; what was written stays for the caller to remove. A stream is destroyed at once then, an iterable asked for no more.
 * Nothing makes or writes the file when this has settled: `pipeline` alone rejects while the file may still be about to be made, behind its removal.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Buffer | Uint8Array>,
  { through, signal }: Writing = {},
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
