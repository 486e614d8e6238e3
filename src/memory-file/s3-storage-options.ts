/** A bucket as the settings describe it. */
export type S3Bucket = {
  readonly bucket: string
  /** Without a slash at either end; empty for the whole bucket. */
  readonly prefix: string
  /** `null`: the one of AWS. */
  readonly endpoint: string | null
  readonly region: string
  /** `null`: what the machine or container has. */
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken: string | null
  } | null
  /** True: the bucket stands in the path of a request. */
  readonly pathStyle: boolean
  readonly encryption: { readonly algorithm: 'AES256' | 'aws:kms'; readonly kmsKeyId: string | null } | null
}

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

/** What LanceDB has to be told to read and write datasets in a bucket. */
export function s3StorageOptions(bucket: S3Bucket): Record<string, string> {
  const { region, pathStyle } = bucket
  return {
    ...LIMITS,
    aws_region: region,
    aws_virtual_hosted_style_request: String(!pathStyle),
    ...endpointOptions(bucket),
    ...credentialOptions(bucket),
    ...encryptionOptions(bucket),
  }
}

function endpointOptions({ endpoint, bucket, pathStyle }: S3Bucket): Record<string, string> {
  if (endpoint === null) return {}
  // Lance takes the address of a bucket that stands in the host's name as it is.
  const { protocol, host } = new URL(endpoint)
  const aws_endpoint = pathStyle ? endpoint : `${protocol}//${bucket}.${host}`
  return { aws_endpoint, allow_http: String(protocol === 'http:') }
}

function credentialOptions({ credentials }: S3Bucket): Record<string, string> {
  if (credentials === null) return {}
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  return {
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
    ...(sessionToken === null ? {} : { aws_session_token: sessionToken }),
  }
}

function encryptionOptions({ encryption }: S3Bucket): Record<string, string> {
  if (encryption === null) return {}
  const { algorithm, kmsKeyId } = encryption
  return {
    aws_server_side_encryption: algorithm,
    ...(kmsKeyId === null ? {} : { aws_sse_kms_key_id: kmsKeyId }),
  }
}
