import type { Transaction } from 'kysely'
import type { Tables } from '../database/schema.ts'
import { ApiError } from '../errors.ts'

/**
 * Stores the response of a request for repeats with the same idempotency key. A service calls it
 * once, as the last step of the transaction of its work, so that both are committed or neither. If
 * it rejects, the transaction must be rolled back.
 */
export type StoreResponse<Result> = (transaction: Transaction<Tables>, result: Result) => Promise<void>

/** The request that work belongs to. */
export type Work<Result> = {
  /** Fires at the time limit or when the client disconnects; nothing may be stored afterwards. */
  signal: AbortSignal
  /** {@link storeNoResponse} when absent. */
  storeResponse?: StoreResponse<Result>
}

/** {@link StoreResponse} for work without an idempotency key. */
export async function storeNoResponse(): Promise<void> {}

/**
 * Throws `request_timeout` if the request was aborted. Also called as the last check of a
 * transaction: the client has received the error by then and may retry.
 */
export function requireGoing(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason instanceof ApiError ? signal.reason : new ApiError('request_timeout')
}
