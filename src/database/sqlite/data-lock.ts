import { DatabaseSync } from 'node:sqlite'
import { isOutOfRoom } from '../../errors.ts'
import { isBusy, toStoreError } from '../store-errors.ts'
import { isBarred, isDamaged } from './file-errors.ts'

/**
 * Takes a data folder for this process; the function it returns gives it back. The lock is the operating system's, on a
 * small SQLite file in an exclusive transaction: it goes with the process, however that ends, so nothing stale is left.
 * Throws when another process has it, with `insufficient_storage` when the disk has no room for the lock's journal, and when the file is no lock. Only then
 * is it said to remove it: a lock that this user may not open may be held, and whoever removed it would serve one folder with two processes.
 */
export function lockData(path: string): () => void {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path)
    database.exec('pragma journal_mode = delete; begin exclusive')
  } catch (cause) {
    database?.close()
    if (isOutOfRoom(toStoreError(cause))) throw toStoreError(cause)
    if (!isBusy(cause))
      throw new Error(`${path} cannot be locked: ${(cause as Error).message}${advise(cause)}.`, { cause })
    throw new Error('Another Recollect process uses this data folder; stop it, or set RECOLLECT_DATA_DIR.', { cause })
  }
  const held = database
  return () => held.close()
}

function advise(cause: unknown): string {
  if (isDamaged(cause)) return '; remove it'
  return isBarred(cause) ? '; give it and its folder to the user who runs Recollect' : ''
}
