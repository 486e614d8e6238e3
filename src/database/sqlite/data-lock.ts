import { DatabaseSync } from 'node:sqlite'
import { isOutOfRoom } from '../../errors.ts'
import { isBusy, toStoreError } from '../store-errors.ts'

/**
 * Primary result codes (https://sqlite.org/rescode.html) of a damaged or foreign file: CORRUPT,
 * NOTADB.
 */
const DAMAGED_CODES: ReadonlySet<number> = new Set([11, 26])
/** Result codes of a file that this user may not open or write: PERM, READONLY, CANTOPEN. */
const PERMISSION_CODES: ReadonlySet<number> = new Set([3, 8, 14])

/** True if SQLite reports a damaged or foreign file. */
export function isDamagedFile(error: unknown): boolean {
  return DAMAGED_CODES.has(primaryCode(error))
}

/** True if SQLite cannot open or write a file, usually because of missing permissions. */
export function isPermissionDenied(error: unknown): boolean {
  return PERMISSION_CODES.has(primaryCode(error))
}

function primaryCode(error: unknown): number {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : 0
}

/**
 * Locks a data folder for this process; returns a function that unlocks the folder. The lock is an
 * exclusive transaction on a small SQLite file. The operating system releases the lock with the
 * process, so no stale lock remains.
 * Throws if another process holds the lock, with `insufficient_storage` if the disk is full, and if
 * the file is not a lock. Only in the last case the message suggests deleting the file. An
 * unreadable lock may be held, and deleting it would let two processes use the folder.
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
      throw new Error(`${path} cannot be locked: ${(cause as Error).message}${toAdvice(cause)}.`, { cause })
    throw new Error('Another Recollect process uses this data folder; stop it, or set RECOLLECT_DATA_DIR.', { cause })
  }
  const held = database
  return () => held.close()
}

function toAdvice(cause: unknown): string {
  if (isDamagedFile(cause)) return '; delete the file'
  return isPermissionDenied(cause) ? '; make the user who runs Recollect the owner of the file and its folder' : ''
}
