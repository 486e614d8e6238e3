/** Location of and access to an S3 store. */
export type S3Place = {
  readonly bucket: string
  /** Segments separated by `/`, without leading or trailing slash; empty for the whole bucket. */
  readonly prefix: string
  /** No trailing slash; `null` for AWS. */
  readonly endpoint: string | null
  readonly region: string
  /** `null`: credentials of the machine or container, as AWS tools find them. */
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken: string | null
  } | null
  /** True: bucket in the path of a request. False: bucket in the host name. */
  readonly pathStyle: boolean
  /** Server-side encryption; `null` for the store's default. */
  readonly encryption: { readonly algorithm: 'AES256' | 'aws:kms'; readonly kmsKeyId: string | null } | null
}
