import type { ErrorBody } from '../../api/values.ts'
import { ApiError, type ErrorCode, isOutOfFiles, outOfFiles } from '../../errors.ts'
import type { Answer } from '../route.ts'

/** Default for Retry-After in seconds: enough for a restart, and short enough for a person. */
const RETRY_AFTER_SECONDS = 5

/**
 * Response for an error, in the common error format (contract, "Errors"), with the headers of its
 * status.
 */
export function errorAnswer(error: ApiError, requestId: string): Answer<number, ErrorBody> {
  const { param, details, extra } = error.facts
  const body = {
    error: {
      code: error.code,
      message: error.message,
      param: param ?? null,
      details: [...(details ?? [])],
      remedy: error.remedy,
      requestId,
      ...extra,
    },
  }
  return { status: error.status, headers: errorHeaders(error), body }
}

function errorHeaders(error: ApiError): Record<string, string> {
  const headers: Record<string, string> = { ...error.facts.headers }
  const { retryAfterSeconds, allow } = error.facts
  if (error.status === 401) headers['www-authenticate'] = 'Bearer'
  if (allow !== undefined) headers['allow'] = allow.join(', ')
  if (retryAfterSeconds !== undefined || error.status === 429 || error.status === 503) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds ?? RETRY_AFTER_SECONDS)))
  }
  return headers
}

/** Maps framework errors to API errors. */
const FRAMEWORK_ERRORS: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  FST_ERR_BAD_URL: {
    code: 'validation_failed',
    message: 'The path is not a valid URL path: check its percent encoding.',
  },
  FST_ERR_MAX_PARAM_LENGTH: {
    code: 'validation_failed',
    message: 'The path is too long: shorten the identifiers in it.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'The Content-Type header is invalid.',
  },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    code: 'unsupported_media_type',
    message: 'The body is not valid multipart/form-data.',
  },
}

/**
 * Maps any error to an API error. Unexpected errors become `internal_error`, with the cause in the
 * log only. A full disk becomes `insufficient_storage`, and too many open files become
 * `service_unavailable`.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ApiError('insufficient_storage', { cause: error })
  if (isOutOfFiles(error)) return outOfFiles(error)
  const known = FRAMEWORK_ERRORS[code]
  if (known !== undefined) return new ApiError(known.code, { message: known.message, cause: error })
  if (isFrameworkRejection(error)) return new ApiError('validation_failed', { cause: error })
  return new ApiError('internal_error', { cause: error })
}

/** Returns whether the framework rejected the request as invalid. */
function isFrameworkRejection(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return false
  const { code, statusCode } = error
  return String(code).startsWith('FST_') && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
}
