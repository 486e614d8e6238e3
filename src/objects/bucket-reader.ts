import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import { GetObjectCommand, ListObjectsV2Command, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { ApiError } from '../errors.ts'

/** A bucket of a caller. Without credentials, requests are anonymous. */
export type CallersBucket = {
  endpoint: string | null
  region: string
  bucket: string
  prefix: string
  pathStyle: boolean
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined } | null
}

/** An object of a listing. `etag` changes with the content. */
export type BucketObject = { key: string; bytes: number; etag: string }

/**
 * Reads a bucket of a caller. All functions reject with the SDK's errors, and with
 * `url_fetch_failed` for a listing that does not end.
 */
export type BucketReader = {
  /** Lists the objects under the prefix in the order of their keys. */
  list(signal: AbortSignal): AsyncGenerator<BucketObject>
  /** Opens an object; rejects after a change since the listing. */
  get(object: BucketObject, signal: AbortSignal): Promise<Readable>
  close(): void
}

/** For slow lines and foreign networks, but not for silent stores. */
const CONNECT_TIMEOUT_MS = 10_000
const RESPONSE_TIMEOUT_MS = 30_000
const MAX_TRIES = 3
/** A page of 1,000 keys of 1,024 bytes, each escaped to six characters, with their other fields. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024
/** Stores may send empty pages, such as for deleted versions, but not without end. */
const MAX_EMPTY_PAGES = 1000

/**
 * Opens a bucket through the given agents, which must refuse addresses that callers may not reach.
 * Credentials of the process, of files and of the machine are never used.
 */
export function openBucketReader(
  { endpoint, region, bucket, prefix, pathStyle, credentials }: CallersBucket,
  agents: { http: HttpAgent; https: HttpsAgent },
): BucketReader {
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    maxAttempts: MAX_TRIES,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === null ? {} : { endpoint }),
    ...toIdentity(credentials),
    requestHandler: createHandler(agents),
  })
  return {
    async *list(signal) {
      let emptyPages = 0
      for (let after: string | undefined; ; ) {
        const range = { Bucket: bucket, Prefix: prefix, ...(after && { ContinuationToken: after }) }
        const page = await client.send(new ListObjectsV2Command(range), { abortSignal: signal })
        for (const { Key: key = '', Size: bytes = 0, ETag: etag = '' } of page.Contents ?? [])
          yield { key, bytes, etag }
        emptyPages = page.Contents?.length ? 0 : emptyPages + 1
        if (emptyPages > MAX_EMPTY_PAGES) throw endless('the store sent only empty pages.')
        if (page.IsTruncated !== true || page.NextContinuationToken === undefined) return
        after = page.NextContinuationToken
      }
    },
    async get({ key, etag }, signal) {
      const asked = { Bucket: bucket, Key: key, ...(etag !== '' && { IfMatch: etag }) }
      const { Body } = await client.send(new GetObjectCommand(asked), { abortSignal: signal })
      return Body as Readable
    },
    close: () => client.destroy(),
  }
}

/** Creates a handler that bounds listings and errors, which the SDK holds in memory as a whole. */
function createHandler({ http: httpAgent, https: httpsAgent }: { http: HttpAgent; https: HttpsAgent }) {
  const handler = new NodeHttpHandler({
    httpAgent,
    httpsAgent,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: RESPONSE_TIMEOUT_MS,
    throwOnRequestTimeout: true,
    socketTimeout: RESPONSE_TIMEOUT_MS,
  })
  const send = handler.handle.bind(handler)
  handler.handle = async (...sent) => {
    const answer = await send(...sent)
    const { response } = answer
    const isObject = response.statusCode < 300 && sent[0].query?.['list-type'] === undefined
    if (!isObject && response.body instanceof Readable) response.body = Readable.from(limitBytes(response.body))
    return answer
  }
  return handler
}

async function* limitBytes(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_LISTING_BYTES) throw endless('the store sent a page of more than 8 MB.')
    yield chunk
  }
}

function endless(message: string): ApiError {
  return new ApiError('url_fetch_failed', { message })
}

/** Without a signature a request is anonymous. */
function toIdentity(credentials: CallersBucket['credentials']): Pick<S3ClientConfig, 'credentials' | 'signer'> {
  if (credentials === null) {
    return {
      credentials: { accessKeyId: '', secretAccessKey: '' },
      signer: { sign: async (request) => request },
    }
  }
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } }
}
