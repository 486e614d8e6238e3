import { PassThrough, pipeline, type Readable } from 'node:stream'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { ApiError } from '../errors.ts'
import type { S3Place } from '../files/s3-place.ts'

/** Two ways to the same bucket. */
export type S3Clients = {
  /** For small requests: the response must start in time, and may take as long as its reader. */
  requests: S3Client
  /** For large requests: data must keep flowing. */
  uploads: S3Client
}

/**
 * Timeout until the first byte of a response. With {@link MAX_TRIES} tries a silent store is given
 * up after about 9 s; callers must hear within 15 s. The SDK has no default limits.
 */
const CONNECT_TIMEOUT_MS = 2000
const RESPONSE_TIMEOUT_MS = 3000
const MAX_TRIES = 3
/**
 * The SDK's default of 50 is too low: each download holds a connection as long as its reader takes.
 */
const MAX_CONNECTIONS = 256

/** The clients for a bucket. Nothing is sent. */
export function createS3Clients({ endpoint, region, credentials, pathStyle }: S3Place): S3Clients {
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS }
  const connecting = { connectionTimeout: CONNECT_TIMEOUT_MS, httpAgent: agent, httpsAgent: agent }
  const shared: S3ClientConfig = {
    region,
    forcePathStyle: pathStyle,
    maxAttempts: MAX_TRIES,
    // Stores other than AWS reject or omit the checksums that newer SDKs add by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials: withoutNull(credentials) }),
  }
  const inTime = { requestTimeout: RESPONSE_TIMEOUT_MS, throwOnRequestTimeout: true }
  return {
    requests: new S3Client({ ...shared, requestHandler: new NodeHttpHandler({ ...connecting, ...inTime }) }),
    uploads: new S3Client({
      ...shared,
      requestHandler: new NodeHttpHandler({ ...connecting, socketTimeout: RESPONSE_TIMEOUT_MS }),
    }),
  }
}

function withoutNull({ accessKeyId, secretAccessKey, sessionToken }: NonNullable<S3Place['credentials']>) {
  return { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) }
}

/** Our choice: stores send data every few milliseconds. Time spent by the reader does not count. */
const IDLE_TIMEOUT_MS = 10_000

/**
 * Passes a stream through and maps its errors to `service_unavailable`. Fails if nothing arrives
 * for `silenceMs` while the reader is waiting. A connection timeout would also fail for a slow
 * reader.
 */
export function withIdleTimeout(source: Readable, silenceMs: number = IDLE_TIMEOUT_MS): Readable {
  const through = new PassThrough({
    destroy: (cause, done) => done(cause === null ? null : new ApiError('service_unavailable', { cause })),
  })
  const timer = setTimeout(() => {
    if (through.writableNeedDrain) timer.refresh()
    else source.destroy(new Error(`no data received for ${silenceMs} ms`))
  }, silenceMs)
  source.on('data', () => timer.refresh())
  pipeline(source, through, () => clearTimeout(timer))
  return through
}
