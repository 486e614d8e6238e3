import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { CheckExtent, DatabaseCheck } from '../database-check.ts'
import { checkFile } from './check-file.ts'

/** A smaller file is checked in less time, some 10 ms, than a thread takes to start. */
const INLINE_BYTES = 8 * 1024 * 1024

/**
 * Checks a SQLite file while others work on it, a large one in a thread of its own. Rejects where it cannot be opened for another reason than damage, and with
 * the signal's reason.
 */
export async function checkBeside(path: string, extent: CheckExtent, signal?: AbortSignal): Promise<DatabaseCheck> {
  const bytes = (await stat(path).catch(() => null))?.size ?? 0
  if (bytes <= INLINE_BYTES) return checkFile(path, extent)
  // Sources run as they are, packed code is JavaScript.
  const main = `./check-thread-main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`
  const worker = new Worker(new URL(main, import.meta.url), { workerData: { path, extent }, env: {} })
  worker.unref()
  try {
    const [result] = (await once(worker, 'message', signal === undefined ? {} : { signal })) as [DatabaseCheck]
    return result
  } finally {
    await worker.terminate()
  }
}
