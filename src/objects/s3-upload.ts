import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Place } from '../files/s3-place.ts'

/**
 * Memory per upload. S3 allows parts of 5 MB or more, at most 10,000; a part is resent whole after
 * a connection error.
 *
 * The SDK's own uploader is not used: on failure it waits for the cleanup, which takes just as long
 * while the store is down.
 */
const PART_BYTES = 8 * 1024 * 1024

/** Target and encryption of an object. */
type S3Target = { client: S3Client; bucket: string; key: string; encryption: S3Place['encryption'] }

/**
 * Writes an object, in parts if larger than a part. The object becomes visible only when complete.
 * Returns the bytes. Rejects with errors of the content or the store and aborts the upload.
 */
export async function uploadToS3(target: S3Target, content: Buffer | Readable): Promise<number> {
  const parts = toParts(content)
  const first = await parts.next()
  const second = await parts.next()
  if (second.done === true) return putWhole(target, first.value ?? Buffer.alloc(0))
  const { client, bucket: Bucket, key: Key } = target
  const created = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ...encryptionOf(target.encryption) }),
  )
  const upload = { Bucket, Key, UploadId: created.UploadId }
  try {
    return await putParts(client, upload, chain([first.value ?? Buffer.alloc(0), second.value], parts))
  } catch (error) {
    // Not awaited: if the store is down, a later sweep cleans up.
    void client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
    throw error
  }
}

async function putWhole(target: S3Target, content: Buffer): Promise<number> {
  const { client, bucket: Bucket, key: Key } = target
  await client.send(new PutObjectCommand({ Bucket, Key, Body: content, ...encryptionOf(target.encryption) }))
  return content.length
}

type OpenUpload = { Bucket: string; Key: string; UploadId: string | undefined }

async function putParts(client: S3Client, upload: OpenUpload, parts: AsyncIterable<Buffer>): Promise<number> {
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  let bytes = 0
  for await (const Body of parts) {
    const PartNumber = Parts.length + 1
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
    Parts.push({ PartNumber, ETag })
    bytes += Body.length
  }
  await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  return bytes
}

/** Encryption parameters of a write. */
export function encryptionOf(encryption: S3Place['encryption']) {
  if (encryption === null) return {}
  const { algorithm, kmsKeyId } = encryption
  return { ServerSideEncryption: algorithm, ...(kmsKeyId === null ? {} : { SSEKMSKeyId: kmsKeyId }) }
}

async function* toParts(content: Buffer | Readable): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const piece of Buffer.isBuffer(content) ? splitBuffer(content) : content) {
    held.push(piece)
    bytes += piece.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held)
}

function* splitBuffer(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += PART_BYTES) yield content.subarray(start, start + PART_BYTES)
}

async function* chain(begin: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* begin
  yield* rest
}
