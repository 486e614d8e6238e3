import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/**
 * Writes content to a new file that its owner alone may read. Rejects with `EEXIST` where a file is there, with what the content or the disk fails by, and with an
 * `AbortError` by the signal; what was written stays for the caller to remove. Nothing makes or writes the file any more when this has settled: `pipeline` alone rejects while
 * the file may still be about to be made, behind its removal.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>((close) => file.once('close', close))
  try {
    await pipeline(content, file, { ...(signal && { signal }) })
  } finally {
    await closed
  }
}
