/** An S3 store: which bucket, where under it, and how it is reached. */
export type S3Place = {
  readonly bucket: string
  /** Segments with `/` between them, none at either end; empty for the whole bucket. */
  readonly prefix: string
  /** Without a slash at its end; `null`: the one of AWS. */
  readonly endpoint: string | null
  readonly region: string
  /** `null`: what the machine or container has, as AWS's own tools find it. */
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken: string | null
  } | null
  /** True: the bucket stands in the path of a request; false: in the name of the host. */
  readonly pathStyle: boolean
  /** What the store is asked to encrypt with; `null`: what it does by itself. */
  readonly encryption: { readonly algorithm: 'AES256' | 'aws:kms'; readonly kmsKeyId: string | null } | null
}
