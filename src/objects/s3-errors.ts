import { ApiError } from '../errors.ts'

/** Error of the store, as a sentence that names the setting to check. */
export class S3Failure extends Error {
  /** True if a retry cannot help: the store answered with a refusal. */
  readonly isRefusal: boolean

  constructor(message: string, { cause, isRefusal }: { cause: unknown; isRefusal: boolean }) {
    super(message, { cause })
    this.name = 'S3Failure'
    this.isRefusal = isRefusal
  }
}

/** True if the object does not exist. A missing bucket is a different error. */
export function isAbsent(error: unknown): boolean {
  const { name, status } = readErrorFacts(error)
  return name === 'NoSuchKey' || (name === 'NotFound' && status === 404)
}

/** True if the object already existed, or another write was first. */
export function isRefusedCondition(error: unknown): boolean {
  return [409, 412].includes(readErrorFacts(error).status)
}

/**
 * Maps a store error to `insufficient_storage` if the store is full, else to `service_unavailable`
 * with an {@link S3Failure} as cause. Returns errors of other origin unchanged.
 */
export function toS3Error(error: unknown, bucket: string): unknown {
  if (error instanceof ApiError || !isStoreError(error)) return error
  const { name, status } = readErrorFacts(error)
  if (status === 507 || FULL_STORE_NAMES.test(name)) return new ApiError('insufficient_storage', { cause: error })
  const isRefusal = name === 'CredentialsProviderError' || (status >= 300 && status < 500 && status !== 429)
  return new ApiError('service_unavailable', {
    cause: new S3Failure(explainS3Failure(error, bucket), { cause: error, isRefusal }),
  })
}

/** Explains an error in a sentence that names the setting to check. Contains no secrets. */
export function explainS3Failure(error: unknown, bucket: string): string {
  const { name, status, message } = readErrorFacts(error)
  const [, advice] = ADVICE.find(([pattern]) => pattern.test(name)) ?? []
  const facts = [name, message].filter((fact) => fact !== '' && !EMPTY_MESSAGE.test(fact))
  const said = `The object store answered ${status || 'nothing'}${facts.length > 0 ? ` (${facts.join(': ')})` : ''}`
  if (advice !== undefined) return `${said}: ${advice.replaceAll('BUCKET', bucket)}.`
  return status === 301 ? `${said}: AWS_REGION must be the region of the bucket ${bucket}.` : `${said}.`
}

/** Message of the SDK if the store sends only a status or a code. */
const EMPTY_MESSAGE = /^Unknown(Error)?$/

/** Error names for a full store or quota. */
const FULL_STORE_NAMES =
  /^(QuotaExceeded|InsufficientStorage|InsufficientCapacity|XMinioStorageFull|XMinioAdminBucketQuotaExceeded)/

/** Setting to check, by error name. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^NoSuchBucket$/, 'bucket BUCKET does not exist; create it or correct RECOLLECT_OBJECT_STORE_URL'],
  [/^InvalidBucketName$/, 'BUCKET is not a valid bucket name; correct RECOLLECT_OBJECT_STORE_URL'],
  [/^InvalidAccessKeyId$/, 'the store does not know AWS_ACCESS_KEY_ID'],
  [/^SignatureDoesNotMatch$/, 'AWS_SECRET_ACCESS_KEY does not match AWS_ACCESS_KEY_ID, or AWS_REGION is wrong'],
  [/^(InvalidToken|ExpiredToken)/, 'AWS_SESSION_TOKEN is invalid or expired'],
  [
    /^(AccessDenied|Forbidden|403)$/,
    'AWS_ACCESS_KEY_ID lacks a permission on bucket BUCKET; docs/scaling.md lists the required permissions',
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'AWS_REGION must be the region of the bucket BUCKET',
  ],
  [/^RequestTimeTooSkewed$/, 'the clock of this machine is wrong'],
  [
    /^CredentialsProviderError$/,
    'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or assign a role to the machine',
  ],
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/, 'no server answers at RECOLLECT_S3_ENDPOINT'],
  [/^(EPROTO|ERR_SSL_\w+|HPE_\w+)$/, 'RECOLLECT_S3_ENDPOINT has the wrong scheme (http or https)'],
  [/CERT|^UNABLE_TO_/, 'this machine does not trust the certificate of RECOLLECT_S3_ENDPOINT'],
  [/^(Timeout|Abort)Error$/, 'it did not answer in time'],
]

/** The SDK adds `$metadata` to errors of requests; errors before a request have these names. */
function isStoreError(error: unknown): boolean {
  return error instanceof Error && ('$metadata' in error || /^(CredentialsProvider|Abort)Error$/.test(error.name))
}

/**
 * `name` is the most specific name from the store or the network; `message` is the store's text.
 */
function readErrorFacts(error: unknown): { name: string; status: number; message: string } {
  if (!(error instanceof Error)) return { name: 'unknown', status: 0, message: '' }
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown }
  const isNetwork = typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code)
  const status = $metadata?.httpStatusCode ?? 0
  return { name: isNetwork ? code : error.name, status, message: status === 0 ? '' : error.message }
}
