import { PassThrough, pipeline, type Readable } from 'node:stream'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { ApiError } from '../errors.ts'
import type { S3Place } from '../files/s3-place.ts'

/** Two ways to the same bucket. */
export type S3Clients = {
  /** For what is short on its way there: an answer has to begin in time, and may then take as long as its reader. */
  requests: S3Client
  /** For what is long on its way there: something has to move. */
  uploads: S3Client
}

/**
 * A request that no byte of an answer follows is tried {@link MOST_TRIES} times in all, so that a store that takes connections and says
 * nothing is given up after some 9 s: a caller is to hear of it within 15. The SDK's own limits are none.
 */
const CONNECT_TIMEOUT_MS = 2000
const SILENCE_TIMEOUT_MS = 3000
const MOST_TRIES = 3
/** Beyond the SDK's 50: downloads hold one as long as their readers take. */
const MOST_CONNECTIONS = 256

/** The clients for a bucket. Nothing is sent. */
export function createS3Clients({ endpoint, region, credentials, pathStyle }: S3Place): S3Clients {
  const agent = { keepAlive: true, maxSockets: MOST_CONNECTIONS }
  const connecting = { connectionTimeout: CONNECT_TIMEOUT_MS, httpAgent: agent, httpsAgent: agent }
  const shared: S3ClientConfig = {
    region,
    forcePathStyle: pathStyle,
    maxAttempts: MOST_TRIES,
    // Stores other than AWS refuse, or answer without, the checksums that newer SDKs add by themselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials: withoutNull(credentials) }),
  }
  const inTime = { requestTimeout: SILENCE_TIMEOUT_MS, throwOnRequestTimeout: true }
  return {
    requests: new S3Client({ ...shared, requestHandler: new NodeHttpHandler({ ...connecting, ...inTime }) }),
    uploads: new S3Client({
      ...shared,
      requestHandler: new NodeHttpHandler({ ...connecting, socketTimeout: SILENCE_TIMEOUT_MS }),
    }),
  }
}

function withoutNull({ accessKeyId, secretAccessKey, sessionToken }: NonNullable<S3Place['credentials']>) {
  return { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) }
}

/** Our choice: stores send something every few milliseconds; what a reader does with it meanwhile is not counted. */
const SILENCE_MS = 10_000

/**
 * The stream as it is, whose failures are `service_unavailable`; one is that it brings nothing for `silenceMs` while somebody waits for it.
 * A time-out of the connection itself would end it for a slow reader as well.
 */
export function readThrough(source: Readable, silenceMs: number = SILENCE_MS): Readable {
  const through = new PassThrough({
    destroy: (cause, done) => done(cause === null ? null : new ApiError('service_unavailable', { cause })),
  })
  const timer = setTimeout(() => {
    if (through.writableNeedDrain) timer.refresh()
    else source.destroy(new Error(`no byte of an object came for ${silenceMs} ms`))
  }, silenceMs)
  source.on('data', () => timer.refresh())
  pipeline(source, through, () => clearTimeout(timer))
  return through
}
