import { ApiError } from '../errors.ts'

/** What went wrong with the store, in a sentence that names the setting to look at. */
export class S3Failure extends Error {
  /** True where trying again can not help: the store answered, and refused. */
  readonly isRefusal: boolean

  constructor(message: string, { cause, isRefusal }: { cause: unknown; isRefusal: boolean }) {
    super(message, { cause })
    this.name = 'S3Failure'
    this.isRefusal = isRefusal
  }
}

/** True when the object is not there; a bucket that is not there is something else. */
export function isAbsent(error: unknown): boolean {
  const { name, status } = factsOf(error)
  return name === 'NoSuchKey' || (name === 'NotFound' && status === 404)
}

/** True when an object stood there already, or another write to it came first. */
export function isRefusedCondition(error: unknown): boolean {
  return [409, 412].includes(factsOf(error).status)
}

/**
 * What a caller is told of a failure of the store: `insufficient_storage` where it takes no more, `service_unavailable` for all else,
 * with an {@link S3Failure} as its cause. What does not come from the store stays as it is.
 */
export function toS3Error(error: unknown, bucket: string): unknown {
  if (error instanceof ApiError || !isOfStore(error)) return error
  const { name, status } = factsOf(error)
  if (status === 507 || FULL.test(name)) return new ApiError('insufficient_storage', { cause: error })
  const isRefusal = name === 'CredentialsProviderError' || (status >= 300 && status < 500 && status !== 429)
  return new ApiError('service_unavailable', {
    cause: new S3Failure(explainS3Failure(error, bucket), { cause: error, isRefusal }),
  })
}

/** A sentence on what went wrong and which setting to look at, without any secret. */
export function explainS3Failure(error: unknown, bucket: string): string {
  const { name, status, message } = factsOf(error)
  const [, advice] = ADVICE.find(([pattern]) => pattern.test(name)) ?? []
  const facts = [name, message].filter((fact) => fact !== '' && !NOTHING_SAID.test(fact))
  const said = `The object store answered ${status || 'nothing'}${facts.length > 0 ? ` (${facts.join(': ')})` : ''}`
  if (advice !== undefined) return `${said}: ${advice.replaceAll('BUCKET', bucket)}.`
  return status === 301 ? `${said}: AWS_REGION must be the region of the bucket ${bucket}.` : `${said}.`
}

/** What the SDK writes where the store says nothing beside a status or a code. */
const NOTHING_SAID = /^Unknown(Error)?$/

/** Names by which stores say that they are full, or that a quota is. */
const FULL =
  /^(QuotaExceeded|InsufficientStorage|InsufficientCapacity|XMinioStorageFull|XMinioAdminBucketQuotaExceeded)/

/** What to look at, by the name of the error. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^NoSuchBucket$/,
    'there is no bucket BUCKET there; RECOLLECT_OBJECT_STORE_URL names it, and it has to be made first',
  ],
  [/^InvalidBucketName$/, 'BUCKET, which RECOLLECT_OBJECT_STORE_URL names, is no name of a bucket there'],
  [/^InvalidAccessKeyId$/, 'AWS_ACCESS_KEY_ID is not known there'],
  [/^SignatureDoesNotMatch$/, 'AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID, or AWS_REGION is another'],
  [/^(InvalidToken|ExpiredToken)/, 'AWS_SESSION_TOKEN is not, or no longer, valid'],
  [
    /^(AccessDenied|Forbidden|403)$/,
    'AWS_ACCESS_KEY_ID may not do this in the bucket BUCKET; docs/scaling.md lists what it has to be allowed',
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'AWS_REGION must be the region of the bucket BUCKET',
  ],
  [/^RequestTimeTooSkewed$/, 'the clock of this machine is wrong'],
  [
    /^CredentialsProviderError$/,
    'there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
  ],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/,
    'nothing answers there; RECOLLECT_S3_ENDPOINT says where it is',
  ],
  [/^(EPROTO|ERR_SSL_\w+|HPE_\w+)$/, 'RECOLLECT_S3_ENDPOINT says https where http is spoken, or the reverse'],
  [/CERT|^UNABLE_TO_/, 'this machine does not trust the certificate of RECOLLECT_S3_ENDPOINT'],
  [/^(Timeout|Abort)Error$/, 'it did not answer in time'],
]

/** The SDK leaves its notes on every error that a request ended with, and names those that came before any request. */
function isOfStore(error: unknown): boolean {
  return error instanceof Error && ('$metadata' in error || /^(CredentialsProvider|Abort)Error$/.test(error.name))
}

/** `name` is the most telling of what the store, or the network, calls it; `message` what the store says beside it. */
function factsOf(error: unknown): { name: string; status: number; message: string } {
  if (!(error instanceof Error)) return { name: 'unknown', status: 0, message: '' }
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown }
  const isNetwork = typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code)
  const status = $metadata?.httpStatusCode ?? 0
  return { name: isNetwork ? code : error.name, status, message: status === 0 ? '' : error.message }
}
