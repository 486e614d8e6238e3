import type { Transaction } from 'kysely'
import type { Tables } from '../database/schema.ts'
import { ApiError } from '../errors.ts'

/**
 * Keeps what the caller will be told, so that a request that comes again is told the same. A service calls it once, as the last step of
 * the transaction that makes `result` true; both are committed, or neither. Where it rejects, nothing may be committed.
 */
export type Keep<Result> = (transaction: Transaction<Tables>, result: Result) => Promise<void>

/** Work that goes on while its caller waits. */
export type Work<Result> = {
  /** Fires when the request's time is up or its sender left: nothing is kept then. */
  signal: AbortSignal
  /** {@link keepNothing} when absent. */
  keep?: Keep<Result>
}

/** {@link Keep} for work that nobody repeats. */
export async function keepNothing(): Promise<void> {}

/**
 * Throws `request_timeout` when the request was given up: nothing of it may be kept then. Asked last of all in the transaction that keeps it, too: whoever
 * waited was told so meanwhile, and would send it again.
 */
export function requireGoing(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason instanceof ApiError ? signal.reason : new ApiError('request_timeout')
}
