import type { Logger } from 'kysely'
import { ApiError, type ErrorCode, isDamage, isOutOfRoom } from '../errors.ts'

const SQLITE_BUSY = 5
/** Primary result codes (https://sqlite.org/rescode.html) of trouble that lies outside the statement. */
const SQLITE_CODES: Readonly<Record<number, ErrorCode>> = {
  [SQLITE_BUSY]: 'service_unavailable',
  6: 'service_unavailable', // LOCKED
  7: 'service_unavailable', // NOMEM
  8: 'service_unavailable', // READONLY
  10: 'service_unavailable', // IOERR
  11: 'data_damaged', // CORRUPT
  13: 'insufficient_storage', // FULL
  14: 'service_unavailable', // CANTOPEN
  15: 'service_unavailable', // PROTOCOL
  26: 'data_damaged', // NOTADB
}
/** Extended codes of a file that cannot be read where it says it is: IOERR_READ, IOERR_SHORT_READ, IOERR_DATA, IOERR_CORRUPTFS. */
const SQLITE_UNREADABLE: ReadonlySet<number> = new Set([266, 522, 8202, 8458])
/** IOERR_SHMSIZE: the shared-memory file found no room, a full disk although its primary code is IOERR. */
const SQLITE_NO_ROOM_CODE = 4874
const SQLITE_CONSTRAINT = 19
/** A unique key or primary key was there already. */
const SQLITE_UNIQUE_CODES: ReadonlySet<number> = new Set([1555, 2067])
/** unique_violation. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_UNIQUE_CODE = '23505'

type Coded = { code?: unknown; errcode?: unknown }

/**
 * The error a caller of the database gets: `insufficient_storage` for a full disk, `data_damaged` for a damaged
 * file, `service_unavailable` for other trouble with it (the original is its cause), and every other error as it is.
 */
export function toStoreError(error: unknown): unknown {
  const { code, errcode } = codesOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ApiError('insufficient_storage', { cause: error })
  if (typeof errcode !== 'number') return error
  if (errcode === SQLITE_NO_ROOM_CODE) return new ApiError('insufficient_storage', { cause: error })
  const known = SQLITE_UNREADABLE.has(errcode) ? 'data_damaged' : SQLITE_CODES[errcode & 0xff]
  return known === undefined ? error : new ApiError(known, { cause: error })
}

/** Primary result codes of a file that may be read although it cannot be written: READONLY, IOERR. */
const SQLITE_UNWRITTEN: ReadonlySet<number> = new Set([8, 10])

/** True for an error of {@link toStoreError} that says that something could not be written to the disk, which may well be read still. */
export function isUnwritten(error: unknown): boolean {
  if (isOutOfRoom(error)) return true
  if (!(error instanceof ApiError)) return false
  const { errcode } = codesOf(error.cause)
  return typeof errcode === 'number' && SQLITE_UNWRITTEN.has(errcode & 0xff)
}

/** True when SQLite refused a statement because another connection holds the lock it needs. */
export function isBusy(error: unknown): boolean {
  const { errcode } = codesOf(error)
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY
}

/** True when a statement failed because a row with the same unique key is there. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = codesOf(error)
  return code === POSTGRES_UNIQUE_CODE || (typeof errcode === 'number' && SQLITE_UNIQUE_CODES.has(errcode))
}

/** True when SQLite refused a row that its table does not allow, for whatever reason. */
export function isConstraintViolation(error: unknown): boolean {
  const { errcode } = codesOf(error)
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_CONSTRAINT
}

function codesOf(error: unknown): Coded {
  return typeof error === 'object' && error !== null ? error : {}
}

/** What Kysely tells of every statement, and who is told of those that met damage. */
export type DamageListener = { log: Logger; onDamage(listener: (damage: ApiError) => void): void }

/** Nobody is told before the first listener is there. */
export function createDamageListener(): DamageListener {
  let tell: ((damage: ApiError) => void) | null = null
  return {
    log(event) {
      if (event.level === 'error' && isDamage(event.error)) tell?.(event.error)
    },
    onDamage(listener) {
      tell = listener
    },
  }
}
