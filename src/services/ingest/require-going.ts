import { ApiError } from '../../errors.ts'

/**
 * Throws `request_timeout` when the request was given up: nothing of it may be kept then. Asked last of all in the transaction that keeps it, too: whoever
 * waited was told so meanwhile, and would send it again.
 */
export function requireGoing(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason instanceof ApiError ? signal.reason : new ApiError('request_timeout')
}
