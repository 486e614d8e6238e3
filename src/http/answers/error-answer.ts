import type { ErrorBody } from '../../api/values.ts'
import { ApiError, type ErrorCode, isOutOfFiles, outOfFiles } from '../../errors.ts'
import type { Answer } from '../route.ts'

/** Seconds for Retry-After where the error brings none: long enough for a restart, short enough for a person. */
const RETRY_AFTER_SECONDS = 5

/** The answer for an error, in the one shape of all errors (contract, "Errors"), with the headers its status calls for. */
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

/** What the framework and its parts call the errors of a request, in our codes. */
const FRAMEWORK_ERRORS: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  FST_ERR_BAD_URL: {
    code: 'validation_failed',
    message: 'The path is not a valid URL path: check its percent encoding.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'validation_failed', message: 'The path is too long.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'The Content-Type header cannot be read.',
  },
  FST_INVALID_MULTIPART_CONTENT_TYPE: {
    code: 'unsupported_media_type',
    message: 'The body is not multipart/form-data.',
  },
}

/**
 * Any error as one the caller may see. What nobody expected becomes `internal_error` with the error as its cause, which
 * only the log gets; a full disk becomes `insufficient_storage` and a limit of open files `service_unavailable`, whoever met it.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ApiError('insufficient_storage', { cause: error })
  if (isOutOfFiles(error)) return outOfFiles(error)
  const known = FRAMEWORK_ERRORS[code]
  if (known !== undefined) return new ApiError(known.code, { message: known.message, cause: error })
  if (isRefusal(error)) return new ApiError('validation_failed', { cause: error })
  return new ApiError('internal_error', { cause: error })
}

/** True for what the framework found wrong with a request, whatever it calls that. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return false
  const { code, statusCode } = error
  return String(code).startsWith('FST_') && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
}
