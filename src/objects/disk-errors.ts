import { ApiError } from '../errors.ts'

/** True for an error of the file system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

/** True when the file, or a folder on the way to it, is not there. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

/**
 * A full disk or quota as `insufficient_storage`, other trouble of the file system, which may pass, as
 * `service_unavailable`; any other error as it is.
 */
export function toBlobError(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return new ApiError('insufficient_storage', { cause: error })
  const isOfSystem = error instanceof Error && 'syscall' in error
  return isOfSystem ? new ApiError('service_unavailable', { cause: error }) : error
}
