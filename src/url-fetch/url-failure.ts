import { ApiError } from '../errors.ts'

/**
 * Why a URL was refused, or nothing came of it: which rule it was, or which step. The message ends a sentence and never names an address of this network;
 * what the URL was wanted for begins it ({@link toApiError}).
 */
export class UrlFailure extends Error {
  readonly code: 'url_not_allowed' | 'url_fetch_failed'

  constructor(code: UrlFailure['code'], why: string, cause?: unknown) {
    super(why, { cause })
    this.name = 'UrlFailure'
    this.code = code
  }
}

/** How a sentence begins that says of a URL that it was refused, or that nothing came of it. */
export type UrlWords = { refused: string; failed: string }

const STORAGE_FULL = ['ENOSPC', 'EDQUOT']
/** Of OpenSSL's verification (`X509_V_ERR_…` as Node names them) and of the check of the name. */
const CERTIFICATE = /CERT|UNABLE_TO_(GET|VERIFY|DECRYPT)|^ERR_TLS_CERT_ALTNAME|^INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH/
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'its host was not found'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)/, 'its host cannot be reached'],
  [CERTIFICATE, 'the certificate of its host is not valid'],
  [/^(EPROTO|ERR_SSL|ERR_TLS)/, 'its host does not speak TLS that is understood'],
  [/^HPE_HEADER_OVERFLOW/, 'the headers of the answer are too large'],
  [/^HPE_/, 'the answer is not valid HTTP'],
  [/^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING|ERR_ZLIB)/, 'its compressed content is damaged'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)/, 'the connection ended early'],
]

/** A URL that may not be used. */
export function urlNotAllowed(why: string): UrlFailure {
  return new UrlFailure('url_not_allowed', why)
}

/** A request that came to nothing, by whatever step. */
export function fetchFailed(why: string, cause?: unknown): UrlFailure {
  return new UrlFailure('url_fetch_failed', why, cause)
}

/**
 * A failure, or what Node says of a request, as an {@link ApiError} in these words; `insufficient_storage` for a full disk.
 * Errors that are no doing of network or disk come back as they are, as do errors of the API.
 */
export function toApiError(error: unknown, words: UrlWords): unknown {
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
  if (isOfFile(error)) return error
  const sentence = SENTENCES.find(([pattern]) => pattern.test(code))?.[1]
  if (sentence !== undefined) return fetchFailed(sentence, error)
  return code === '' ? error : fetchFailed('the connection failed', error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Errors of files carry the path, or come from a call that sockets do not make. */
function isOfFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isOpening = 'path' in error
  const isWriting = codeOf(error) === 'EIO' && 'syscall' in error
  return isOpening || isWriting
}
