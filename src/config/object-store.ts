import type { S3Place } from '../files/s3-place.ts'
import type { ParsedSetting } from './setting.ts'

/** An S3 store and its use. */
export type ObjectStore = S3Place & {
  /** Size of the disk cache for memory files; 0 disables it. */
  readonly cacheBytes: number
}

/** Parsed settings of an {@link ObjectStore}. */
export type ObjectStoreValues = {
  RECOLLECT_OBJECT_STORE_URL: { bucket: string; prefix: string } | null
  RECOLLECT_S3_ENDPOINT: string | null
  RECOLLECT_S3_PATH_STYLE: boolean | null
  RECOLLECT_S3_ENCRYPTION: 'AES256' | 'aws:kms' | null
  RECOLLECT_S3_KMS_KEY_ID: string | null
  RECOLLECT_S3_CACHE_MEGABYTES: number
  AWS_ACCESS_KEY_ID: string | null
  AWS_SECRET_ACCESS_KEY: string | null
  AWS_SESSION_TOKEN: string | null
  AWS_REGION: string | null
}

/** Default of AWS's tools, which most other stores accept. */
const DEFAULT_REGION = 'us-east-1'

/**
 * Names that every store accepts, and path segments without a special meaning in a URL, in a path
 * and for Lance.
 */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?!\.+(?:\/|$))[A-Za-z0-9._-]{1,100}(?:\/(?!\.+(?:\/|$))[A-Za-z0-9._-]{1,100})*$/

/** Parses `s3://bucket` or `s3://bucket/prefix`; unset is `null`. */
export function parseObjectStoreUrl(text: string): ParsedSetting<{ bucket: string; prefix: string } | null> {
  if (text === '') return { value: null }
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]*)(?:\/(.*?)\/*)?$/.exec(text) ?? []
  if (BUCKET.test(bucket) && (prefix === '' || PREFIX.test(prefix))) return { value: { bucket, prefix } }
  return {
    problem:
      'must be s3://bucket or s3://bucket/prefix: a bucket of 3 to 63 lower-case letters, digits, "." and "-", ' +
      'a prefix of letters, digits, ".", "_", "-" and "/"',
  }
}

/** Parses an address without path and credentials; unset is `null`. */
export function parseEndpoint(text: string): ParsedSetting<string | null> {
  if (text === '') return { value: null }
  const url = URL.parse(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (isPlain && url.pathname === '/' && url.search === '' && url.hash === '') return { value: url.origin }
  return {
    problem: 'must be an http or https address without a user, a path and a query, such as http://127.0.0.1:9000',
  }
}

/** Parses `true` or `false`; unset is `null`. */
export function parseOptionalBoolean(text: string): ParsedSetting<boolean | null> {
  if (text === '') return { value: null }
  if (text === 'true' || text === 'false') return { value: text === 'true' }
  return { problem: 'must be "true" or "false"' }
}

/** Parses the encryption of the store; unset is `null`. */
export function parseEncryption(text: string): ParsedSetting<'AES256' | 'aws:kms' | null> {
  if (text === '') return { value: null }
  if (text === 'AES256' || text === 'aws:kms') return { value: text }
  return { problem: 'must be "AES256" or "aws:kms"' }
}

/** The S3 store of these settings, frozen; `null` if none is configured. */
export function toObjectStore(values: ObjectStoreValues): ObjectStore | null {
  const { RECOLLECT_OBJECT_STORE_URL: place, RECOLLECT_S3_ENDPOINT: endpoint } = values
  if (place === null) return null
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values
  const hasKeys = accessKeyId !== null && secretAccessKey !== null
  const algorithm = values.RECOLLECT_S3_ENCRYPTION
  return Object.freeze({
    ...place,
    endpoint,
    region: values.AWS_REGION ?? DEFAULT_REGION,
    credentials: hasKeys
      ? Object.freeze({ accessKeyId, secretAccessKey, sessionToken: values.AWS_SESSION_TOKEN })
      : null,
    pathStyle: values.RECOLLECT_S3_PATH_STYLE ?? endpoint !== null,
    cacheBytes: values.RECOLLECT_S3_CACHE_MEGABYTES * 1024 * 1024,
    encryption: algorithm === null ? null : Object.freeze({ algorithm, kmsKeyId: values.RECOLLECT_S3_KMS_KEY_ID }),
  })
}

/** Conflicts among these settings, each as a sentence. */
export function objectStoreProblems(values: ObjectStoreValues): string[] {
  if (values.RECOLLECT_OBJECT_STORE_URL === null) {
    const names = [
      'RECOLLECT_S3_ENDPOINT',
      'RECOLLECT_S3_PATH_STYLE',
      'RECOLLECT_S3_ENCRYPTION',
      'RECOLLECT_S3_KMS_KEY_ID',
    ] as const
    return names
      .filter((name) => values[name] !== null)
      .map((name) => `${name} needs RECOLLECT_OBJECT_STORE_URL, which says what is kept there.`)
  }
  const problems: string[] = []
  if ((values.AWS_ACCESS_KEY_ID === null) !== (values.AWS_SECRET_ACCESS_KEY === null))
    problems.push(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY need each other; set both, or none where the machine has a role.',
    )
  if (values.RECOLLECT_S3_KMS_KEY_ID !== null && values.RECOLLECT_S3_ENCRYPTION !== 'aws:kms')
    problems.push('RECOLLECT_S3_KMS_KEY_ID needs RECOLLECT_S3_ENCRYPTION=aws:kms.')
  return problems
}
