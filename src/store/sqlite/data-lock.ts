import { DatabaseSync } from 'node:sqlite'
import { isOutOfRoom } from '../../errors.ts'
import { isBusy, toStoreError } from '../store-errors.ts'

/**
 * Takes a data folder for this process; the function it returns gives it back. The lock is the operating system's, on a
 * small SQLite file in an exclusive transaction: it goes with the process, however that ends, so nothing stale is left.
 * Throws when another process has it, with `insufficient_storage` when the disk has no room for the lock's journal, and when the file is no lock.
 */
export function lockData(path: string): () => void {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path)
    database.exec('pragma journal_mode = delete; begin exclusive')
  } catch (cause) {
    database?.close()
    if (isOutOfRoom(toStoreError(cause))) throw toStoreError(cause)
    if (!isBusy(cause)) throw new Error(`${path} cannot be locked: ${(cause as Error).message}; remove it.`, { cause })
    throw new Error('Another Recollect process uses this data folder; stop it, or set RECOLLECT_DATA_DIR.', { cause })
  }
  const held = database
  return () => held.close()
}
