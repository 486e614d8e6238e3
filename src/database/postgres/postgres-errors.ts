import { DatabaseError } from 'pg'
import { ApiError, type ErrorCode } from '../../errors.ts'

/**
 * Codes and classes of codes (https://www.postgresql.org/docs/current/errcodes-appendix.html) of trouble that lies outside
 * the statement; a class is the first two characters.
 */
const POSTGRES_CODES: Readonly<Record<string, ErrorCode>> = {
  '08': 'service_unavailable', // the connection
  '25006': 'service_unavailable', // a replica that takes no writes, as during a fail-over
  '25P03': 'service_unavailable', // idle too long in a transaction
  '28': 'service_unavailable', // the password changed while we ran
  '3D000': 'service_unavailable', // the database is gone
  '40001': 'service_unavailable', // serialization failure, after it was tried again
  '40P01': 'service_unavailable', // deadlock, likewise
  '53': 'service_unavailable', // out of connections or memory
  '53100': 'insufficient_storage', // the server's disk is full
  '55P03': 'service_unavailable', // a lock that was not to be had in time
  '57': 'service_unavailable', // cancelled, shut down, starting up
  '58': 'service_unavailable', // errors of the server's disk
  '58030': 'data_damaged', // a file that it cannot read
  XX001: 'data_damaged', // a damaged table
  XX002: 'data_damaged', // a damaged index
  XX: 'service_unavailable', // internal
}
const SERIALIZATION_CODES: ReadonlySet<string> = new Set(['40001', '40P01'])

/** The error a caller of the database gets, as `toStoreError` has it for SQLite; what the server did not say itself is trouble with the connection. */
export function toPostgresError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) {
    return isConnectionTrouble(error) ? new ApiError('service_unavailable', { cause: error }) : error
  }
  const code = error.code ?? ''
  const known = POSTGRES_CODES[code] ?? POSTGRES_CODES[code.slice(0, 2)]
  return known === undefined ? error : new ApiError(known, { cause: error })
}

/** True when the connection can no longer be used: it broke, the server ended it, or no answer came in time. */
export function isConnectionTrouble(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08|57P0|25P03)/.test(error.code ?? '')
  // Both are mistakes of ours in a statement's values.
  return !(error instanceof TypeError || error instanceof RangeError)
}

/** True when a transaction lost against others through no fault of its own, and may simply run again. */
export function isSerializationFailure(error: unknown): boolean {
  const original = error instanceof ApiError ? error.cause : error
  return original instanceof DatabaseError && SERIALIZATION_CODES.has(original.code ?? '')
}

/** True when nothing but waiting can help: the server is not there, or not ready yet. */
export function mayPass(error: unknown): boolean {
  const original = error instanceof ApiError ? error.cause : error
  return isConnectionTrouble(original) || (original instanceof DatabaseError && /^(53|57)/.test(original.code ?? ''))
}
