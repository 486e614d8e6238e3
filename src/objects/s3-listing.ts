import {
  AbortMultipartUploadCommand,
  type AbortMultipartUploadCommandInput,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3'

/** An object of the bucket, by full key. */
type ListedObject = { key: string; bytes: number; modified: Date }

/** A prefix of keys. */
type Range = { Bucket: string; Prefix: string }

/** Lists objects by prefix, page by page. An empty result yields no page. */
export async function* listObjects(client: S3Client, range: Range): AsyncGenerator<ListedObject[]> {
  let after: string | undefined
  do {
    const token = after === undefined ? {} : { ContinuationToken: after }
    const answer = await client.send(new ListObjectsV2Command({ ...range, ...token }))
    const found = (answer.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date() }) => ({
      key: Key,
      bytes: Size,
      modified: LastModified,
    }))
    if (found.length > 0) yield found
    after = answer.IsTruncated === true ? answer.NextContinuationToken : undefined
  } while (after !== undefined)
}

/** Maximum number of keys per request. */
const MAX_KEYS_PER_DELETE = 1000

/** Deletes objects; missing objects are not an error. */
export async function deleteKeys(
  { client, Bucket }: { client: S3Client; Bucket: string },
  keys: readonly string[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += MAX_KEYS_PER_DELETE) {
    const Objects = keys.slice(start, start + MAX_KEYS_PER_DELETE).map((Key) => ({ Key }))
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
    const [refused] = Errors
    if (refused !== undefined) throw Object.assign(new Error(refused.Message), { name: refused.Code, $metadata: {} })
  }
}

/**
 * Aborts multipart uploads started before `before`. Crashes leave such uploads, which cost storage
 * but are not listed as objects. Returns the number.
 */
export async function abortOldUploads(client: S3Client, range: Range, before: Date): Promise<number> {
  let aborted = 0
  let markers: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  do {
    const answer: Awaited<ReturnType<typeof listUploads>> = await listUploads(client, range, markers)
    for (const { Key, UploadId, Initiated = new Date() } of answer.Uploads ?? []) {
      if (Initiated >= before) continue
      if (await abortUpload(client, { Bucket: range.Bucket, Key, UploadId })) aborted += 1
    }
    const { IsTruncated, NextKeyMarker = '', NextUploadIdMarker = '' } = answer
    markers = IsTruncated === true ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : undefined
  } while (markers !== undefined)
  return aborted
}

/** Returns false if the upload ended since the listing. */
async function abortUpload(client: S3Client, upload: AbortMultipartUploadCommandInput): Promise<boolean> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload))
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchUpload') return false
    throw error
  }
}

function listUploads(client: S3Client, range: Range, markers: { KeyMarker?: string; UploadIdMarker?: string }) {
  return client.send(new ListMultipartUploadsCommand({ ...range, ...markers }))
}
