import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Place } from '../files/s3-place.ts'
import type { S3Clients } from './s3-client.ts'
import { readThrough } from './s3-client.ts'
import { isAbsent, isRefusedCondition } from './s3-errors.ts'
import { listObjects, removeKeys } from './s3-listing.ts'
import { encryptionOf } from './s3-upload.ts'

/** A part of an object, and what the store says of the whole; `modified` is as HTTP writes dates. */
type S3Range = { content: Buffer; size: number; etag: string; modified: string }

/** Any object of the bucket, by its whole key. Everything rejects with the store's own errors. */
export type S3Files = {
  /** The bytes from `start` to `end` inclusive, or to the object's end; `null` when it is not there. */
  readRange(key: string, start: number, end: number): Promise<S3Range | null>
  listKeys(prefix: string): Promise<string[]>
  /** Makes an object; false, with nothing changed, when there is one already. */
  putNew(key: string, content: Buffer): Promise<boolean>
  removeAll(prefix: string): Promise<void>
}

/** The objects of a bucket. */
export function createS3Files({ bucket: Bucket, encryption, requests, uploads }: S3Place & S3Clients): S3Files {
  return {
    async readRange(key, start, end) {
      try {
        const answer = await requests.send(new GetObjectCommand({ Bucket, Key: key, Range: `bytes=${start}-${end}` }))
        const content = await buffer(readThrough(answer.Body as Readable))
        const size = Number(answer.ContentRange?.split('/')[1] ?? content.length)
        const { ETag: etag = '', LastModified = new Date() } = answer
        return { content, size, etag, modified: LastModified.toUTCString() }
      } catch (error) {
        if (isAbsent(error)) return null
        throw error
      }
    },
    async listKeys(prefix) {
      const keys: string[] = []
      for await (const page of listObjects(requests, { Bucket, Prefix: prefix }))
        keys.push(...page.map(({ key }) => key))
      return keys
    },
    async putNew(key, content) {
      const object = { Bucket, Key: key, Body: content, ...encryptionOf(encryption) }
      try {
        await uploads.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }))
        return true
      } catch (error) {
        if (isRefusedCondition(error)) return false
        throw error
      }
    },
    async removeAll(prefix) {
      for await (const page of listObjects(requests, { Bucket, Prefix: prefix })) {
        await removeKeys(
          { client: requests, Bucket },
          page.map(({ key }) => key),
        )
      }
    },
  }
}
