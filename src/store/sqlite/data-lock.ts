import { DatabaseSync } from 'node:sqlite'
import { isBusy, toStoreError } from '../store-errors.ts'

/**
 * Takes a data folder for this process; the function it returns gives it back. The lock is the operating system's, on a
 * small SQLite file in an exclusive transaction: it goes with the process, however that ends, so nothing stale is left.
 * Throws when another process has it, and with `insufficient_storage` when the disk has no room for the lock's journal.
 */
export function lockData(path: string): () => void {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete; begin exclusive')
  } catch (cause) {
    database.close()
    if (!isBusy(cause)) throw toStoreError(cause)
    throw new Error('Another Recollect process uses this data folder; stop it, or set RECOLLECT_DATA_DIR.', { cause })
  }
  return () => database.close()
}
