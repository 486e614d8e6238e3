import { ApiError } from '../errors.ts'

/**
 * A refused URL or failed request, with the rule or step. The message completes a sentence and
 * never contains an internal address; {@link toApiError} adds the start.
 */
export class UrlFailure extends Error {
  readonly code: 'url_not_allowed' | 'url_fetch_failed'

  constructor(code: UrlFailure['code'], why: string, cause?: unknown) {
    super(why, { cause })
    this.name = 'UrlFailure'
    this.code = code
  }
}

/** Start of the sentence for a refused URL and for a failed request. */
export type FailureMessages = { refused: string; failed: string }

const STORAGE_FULL = ['ENOSPC', 'EDQUOT']
/**
 * Codes of OpenSSL verification errors (`X509_V_ERR_…` in Node's spelling) and of the host name
 * check.
 */
const CERTIFICATE_ERROR =
  /CERT|UNABLE_TO_(GET|VERIFY|DECRYPT)|^ERR_TLS_CERT_ALTNAME|^INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH/
const NODE_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'its host was not found'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)/, 'its host cannot be reached'],
  [CERTIFICATE_ERROR, 'the certificate of its host is not valid'],
  [/^(EPROTO|ERR_SSL|ERR_TLS)/, 'the TLS handshake with its host failed'],
  [/^HPE_HEADER_OVERFLOW/, 'the response headers are too large'],
  [/^HPE_/, 'the response is not valid HTTP'],
  [/^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING|ERR_ZLIB)/, 'its compressed content is damaged'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)/, 'the connection was closed early'],
]

/** Creates the error for a URL that is not allowed. */
export function urlNotAllowed(why: string): UrlFailure {
  return new UrlFailure('url_not_allowed', why)
}

/** Creates the error for a failed request. */
export function fetchFailed(why: string, cause?: unknown): UrlFailure {
  return new UrlFailure('url_fetch_failed', why, cause)
}

/**
 * Maps a failure or a Node error to an {@link ApiError}; `insufficient_storage` for a full disk.
 * Returns API errors, and errors unrelated to network or disk, unchanged.
 */
export function toApiError(error: unknown, words: FailureMessages): unknown {
  const failure = toFailure(error)
  if (!(failure instanceof UrlFailure)) return failure
  const { code, message, cause } = failure
  const begun = code === 'url_not_allowed' ? words.refused : words.failed
  return new ApiError(code, {
    message: `${begun}: ${message}.`,
    param: 'url',
    ...(cause === undefined ? {} : { cause }),
  })
}

function toFailure(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof UrlFailure) return error
  const code = codeOf(error)
  if (STORAGE_FULL.includes(code)) return new ApiError('insufficient_storage', { cause: error })
  if (isFileError(error)) return error
  const sentence = NODE_ERRORS.find(([pattern]) => pattern.test(code))?.[1]
  if (sentence !== undefined) return fetchFailed(sentence, error)
  return code === '' ? error : fetchFailed('the connection failed', error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** File errors carry the path, or come from a call that sockets never make. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isOpening = 'path' in error
  const isWriting = codeOf(error) === 'EIO' && 'syscall' in error
  return isOpening || isWriting
}
