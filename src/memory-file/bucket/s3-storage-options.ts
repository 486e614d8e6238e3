import type { S3Place } from '../../files/s3-place.ts'

/**
 * For one request of Lance, the sending of a part of 5 MB included. A call of Lance makes several, and tries some of them six times whatever is set here:
 * who waits is told of an outage by `while-answering.ts`.
 */
const LIMITS = {
  connect_timeout: '2s',
  timeout: '15s',
  client_max_retries: '3',
  client_retry_timeout: '15',
}

/** What LanceDB has to be told to read and write datasets in a bucket; through a proxy of our own where one is named. */
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

/** Where the requests for a bucket go: the store, or the host that is named after the bucket. */
export function endpointOf({ endpoint, region, bucket, pathStyle }: S3Place): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (!pathStyle) url.host = `${bucket}.${url.host}`
  return url
}

function endpointOptions(bucket: S3Place): Record<string, string> {
  if (bucket.endpoint === null) return {}
  // Lance takes the address of a bucket that stands in the host's name as it is.
  const { origin, protocol } = endpointOf(bucket)
  return { aws_endpoint: origin, allow_http: String(protocol === 'http:') }
}

/** A proxy sees nothing of what is asked at `https:`; it takes care of that itself. */
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
