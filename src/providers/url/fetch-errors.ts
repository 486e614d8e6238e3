/** What goes wrong with a download, and how it is said: which step failed, never an address of this network. */
import { ApiError } from '../../errors.ts'

/** A time limit of a download passed; the message ends a sentence and names limit and step. */
export class FetchTimeout extends Error {}

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

/** The error for a download that failed; `why` ends the sentence. */
export function fetchFailed(why: string, cause?: unknown): ApiError {
  return new ApiError('url_fetch_failed', {
    message: `The resource could not be downloaded: ${why}.`,
    param: 'url',
    ...(cause === undefined ? {} : { cause }),
  })
}

/**
 * What Node says of a download, as an {@link ApiError}: `insufficient_storage` for a full disk, else `url_fetch_failed`.
 * Errors that are no doing of network or disk come back as they are, as do errors of the API.
 */
export function toFetchError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof FetchTimeout) return fetchFailed(error.message, error)
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
