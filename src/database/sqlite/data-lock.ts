import { DatabaseSync } from 'node:sqlite'
import { isOutOfRoom } from '../../errors.ts'
import { isBusy, toStoreError } from '../store-errors.ts'

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) for a file that is damaged or no database: CORRUPT, NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
/** The same for one that this user may not open or write: PERM, READONLY, CANTOPEN. */
const BARRED: ReadonlySet<number> = new Set([3, 8, 14])

/** True when SQLite says that a file is damaged, or no database. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.has(primaryCode(error))
}

/** True when SQLite could not open a file or not write it, which most often is a matter of rights. */
export function isBarred(error: unknown): boolean {
  return BARRED.has(primaryCode(error))
}

function primaryCode(error: unknown): number {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : 0
}

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
