import type { S3Place } from '../files/s3-place.ts'
import type { Parsed } from './setting.ts'

/** An S3 store, and how it is used. */
export type ObjectStore = S3Place & {
  /** How much of what was read of memory files is kept on the disk; 0: nothing. */
  readonly cacheBytes: number
}

/** The settings that an {@link ObjectStore} is made of, as they were parsed. */
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

/** What AWS's tools take where nothing says otherwise, and what most other stores answer to. */
const DEFAULT_REGION = 'us-east-1'

/** Names that every store takes, and segments that mean nothing but themselves in a URL, in a path and to Lance. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?!\.+(?:\/|$))[A-Za-z0-9._-]{1,100}(?:\/(?!\.+(?:\/|$))[A-Za-z0-9._-]{1,100})*$/

/** `s3://bucket` or `s3://bucket/prefix`; nothing set is `null`. */
export function parseObjectStoreUrl(text: string): Parsed<{ bucket: string; prefix: string } | null> {
  if (text === '') return { value: null }
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]*)(?:\/(.*?)\/*)?$/.exec(text) ?? []
  if (BUCKET.test(bucket) && (prefix === '' || PREFIX.test(prefix))) return { value: { bucket, prefix } }
  return {
    problem:
      'must be s3://bucket or s3://bucket/prefix: a bucket of 3 to 63 lower-case letters, digits, "." and "-", a prefix of letters, digits, ".", "_", "-" and "/"',
  }
}

/** An address without path and credentials; nothing set is `null`. */
export function parseEndpoint(text: string): Parsed<string | null> {
  if (text === '') return { value: null }
  const url = URL.parse(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (isPlain && url.pathname === '/' && url.search === '' && url.hash === '') return { value: url.origin }
  return {
    problem: 'must be an http or https address without a user, a path and a query, such as http://127.0.0.1:9000',
  }
}

/** `true`, `false`, or `null` where nothing is set. */
export function parseOptionalBoolean(text: string): Parsed<boolean | null> {
  if (text === '') return { value: null }
  if (text === 'true' || text === 'false') return { value: text === 'true' }
  return { problem: 'must be "true" or "false"' }
}

/** What the store encrypts with, `null` where nothing is set. */
export function parseEncryption(text: string): Parsed<'AES256' | 'aws:kms' | null> {
  if (text === '') return { value: null }
  if (text === 'AES256' || text === 'aws:kms') return { value: text }
  return { problem: 'must be "AES256" or "aws:kms"' }
}

/** The S3 store of these settings, frozen; `null` where none is named. */
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

/** What does not go together among these settings, each a whole sentence. */
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
