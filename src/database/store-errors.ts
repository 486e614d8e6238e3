import type { Logger } from 'kysely'
import { ApiError, type ErrorCode, isDamage, isOutOfRoom } from '../errors.ts'

const SQLITE_BUSY = 5
/** Primary result codes (https://sqlite.org/rescode.html) of failures outside of the statement. */
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
/**
 * Extended codes of unreadable pages: IOERR_READ, IOERR_SHORT_READ, IOERR_DATA, IOERR_CORRUPTFS.
 */
const SQLITE_UNREADABLE: ReadonlySet<number> = new Set([266, 522, 8202, 8458])
/**
 * IOERR_SHMSIZE: no room for the shared-memory file. The disk is full, although the primary code is
 * IOERR.
 */
const SQLITE_SHM_FULL_CODE = 4874
const SQLITE_CONSTRAINT = 19
/** Violation of a unique index or primary key. */
const SQLITE_UNIQUE_CODES: ReadonlySet<number> = new Set([1555, 2067])
/** unique_violation. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_UNIQUE_CODE = '23505'

type ErrorWithCode = { code?: unknown; errcode?: unknown }

/**
 * Translates a database error: `insufficient_storage` for a full disk, `data_damaged` for a damaged
 * file, `service_unavailable` for other failures (with the original as cause). Other errors are
 * returned unchanged.
 */
export function toStoreError(error: unknown): unknown {
  const { code, errcode } = codesOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ApiError('insufficient_storage', { cause: error })
  if (typeof errcode !== 'number') return error
  if (errcode === SQLITE_SHM_FULL_CODE) return new ApiError('insufficient_storage', { cause: error })
  const known = SQLITE_UNREADABLE.has(errcode) ? 'data_damaged' : SQLITE_CODES[errcode & 0xff]
  return known === undefined ? error : new ApiError(known, { cause: error })
}

/** Primary result codes of a readable file that cannot be written: READONLY, IOERR. */
const SQLITE_WRITE_FAILED: ReadonlySet<number> = new Set([8, 10])

/** True for an error of {@link toStoreError} that only prevents writes; reads may still work. */
export function isWriteUnavailable(error: unknown): boolean {
  if (isOutOfRoom(error)) return true
  if (!(error instanceof ApiError)) return false
  const { errcode } = codesOf(error.cause)
  return typeof errcode === 'number' && SQLITE_WRITE_FAILED.has(errcode & 0xff)
}

/** True if SQLite refused a statement because another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const { errcode } = codesOf(error)
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY
}

/** True for a violation of a unique key. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = codesOf(error)
  return code === POSTGRES_UNIQUE_CODE || (typeof errcode === 'number' && SQLITE_UNIQUE_CODES.has(errcode))
}

/** True if SQLite refused a row because of a constraint. */
export function isConstraintViolation(error: unknown): boolean {
  const { errcode } = codesOf(error)
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_CONSTRAINT
}

function codesOf(error: unknown): ErrorWithCode {
  return typeof error === 'object' && error !== null ? error : {}
}

/** Kysely logger with listeners for statements that met damage. */
export type DamageListener = { log: Logger; onDamage(listener: (damage: ApiError) => void): void }

/** Damage before the first listener is not reported. */
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
