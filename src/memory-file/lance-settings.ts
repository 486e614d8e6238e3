import type { S3Place } from '../files/s3-place.ts'

/**
 * Imported before Lance, which reads this once. With many similar passages, Lance warns for every
 * index that partitions are empty. The lines are not JSON, and no operator can fix the cause. All
 * other warnings remain.
 */
process.env['LANCEDB_LOG'] ??= 'warn,lance_index::vector::kmeans=error,lance::index::vector::builder=error'

/*
 * Shares of the memory of the container or machine. Measured with 60 MB of orders whose numbers are
 * all different: the worst case for a full-text index.
 */

/** 128 MB of 2 GB. The orders took 1.3 GB at most with a cache of 384 MB, and 1.0 GB with 64 MB. */
const CACHE_SHARE = 1 / 16

/**
 * Bytes of an index cache: `maxBytes`, limited to a share of the memory. Searches read again what
 * does not fit.
 */
export function sizeCache(maxBytes: bigint, memoryBytes = Number.POSITIVE_INFINITY): bigint {
  const share = memoryBytes * CACHE_SHARE
  return share < Number(maxBytes) ? BigInt(Math.floor(share)) : maxBytes
}

const MEGABYTE = 1024 ** 2
/**
 * 32 MB of 1 GB. The orders could be indexed in such a container; with 128 MB the process was
 * killed repeatedly.
 */
const INDEX_BUFFER_SHARE = 1 / 32
/**
 * Lance's default of 2,048 lets a table with many distinct words take unlimited memory. Below 16,
 * an index has so many parts that searches are slower
 * (docs/decisions/0016-memory-file-measured.md).
 */
const INDEX_BUFFER_MB = { min: 16, max: 128 } as const

/** MiB that each thread gathers before it writes a part of a full-text index. */
export function sizeIndexBuffer(memoryBytes = Number.POSITIVE_INFINITY): number {
  const share = Math.floor((memoryBytes * INDEX_BUFFER_SHARE) / MEGABYTE)
  return Math.min(Math.max(share, INDEX_BUFFER_MB.min), INDEX_BUFFER_MB.max)
}

/**
 * Limits of one request of Lance, including the upload of a 5 MB part. One call of Lance sends
 * several requests, and retries some six times regardless of the settings. `withLivenessProbe`
 * reports an outage to callers earlier.
 */
const LIMITS = {
  connect_timeout: '2s',
  timeout: '15s',
  client_max_retries: '3',
  client_retry_timeout: '15',
}

/** LanceDB's storage options for a bucket, optionally through a proxy. */
export function s3StorageOptions(bucket: S3Place, proxyUrl: string | null = null): Record<string, string> {
  const { region, pathStyle } = bucket
  return {
    ...LIMITS,
    aws_region: region,
    aws_virtual_hosted_style_request: String(!pathStyle),
    ...(proxyUrl === null ? endpointOptions(bucket) : proxyOptions(bucket, proxyUrl)),
    ...credentialOptions(bucket),
    ...encryptionOptions(bucket),
  }
}

/** Target of the requests for a bucket: the store, or the virtual host of the bucket. */
export function endpointOf({ endpoint, region, bucket, pathStyle }: S3Place): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (!pathStyle) url.host = `${bucket}.${url.host}`
  return url
}

function endpointOptions(bucket: S3Place): Record<string, string> {
  if (bucket.endpoint === null) return {}
  // Lance uses the address of a virtual-hosted bucket unchanged.
  const { origin, protocol } = endpointOf(bucket)
  return { aws_endpoint: origin, allow_http: String(protocol === 'http:') }
}

/**
 * A proxy cannot read `https:` requests. So Lance uses `http:` to the proxy, which connects by TLS
 * itself.
 */
function proxyOptions(bucket: S3Place, proxyUrl: string): Record<string, string> {
  const { host } = endpointOf(bucket)
  return { aws_endpoint: `http://${host}`, allow_http: 'true', proxy_url: proxyUrl }
}

function credentialOptions({ credentials }: S3Place): Record<string, string> {
  if (credentials === null) return {}
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  return {
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
    ...(sessionToken === null ? {} : { aws_session_token: sessionToken }),
  }
}

function encryptionOptions({ encryption }: S3Place): Record<string, string> {
  if (encryption === null) return {}
  const { algorithm, kmsKeyId } = encryption
  return {
    aws_server_side_encryption: algorithm,
    ...(kmsKeyId === null ? {} : { aws_sse_kms_key_id: kmsKeyId }),
  }
}
