import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3'
import type { S3Place } from '../files/s3-place.ts'
import { createS3Clients } from './s3-client.ts'
import { isAbsent, toS3Error } from './s3-errors.ts'
import { listObjects } from './s3-listing.ts'
import { uploadToS3 } from './s3-upload.ts'

/**
 * Copies of local files in a bucket, with keys below the place's prefix. Errors are mapped as by
 * the object store.
 */
export type S3Mirror = {
  listKeys(): Promise<string[]>
  /**
   * Uploads the file unless the object is identical. Returns true if sent; rejects if the stored
   * object then differs.
   */
  putFile(key: string, path: string): Promise<boolean>
  put(key: string, content: string): Promise<void>
  /** Returns the text of an object, `null` if absent. */
  read(key: string): Promise<string | null>
  remove(key: string): Promise<void>
  close(): void
}

/** Opens the mirror without sending a request. */
export function createS3Mirror(place: S3Place): S3Mirror {
  const clients = createS3Clients(place)
  const { bucket: Bucket, encryption } = place
  const root = place.prefix === '' ? '' : `${place.prefix}/`
  const upload = (key: string, content: Parameters<typeof uploadToS3>[1]) =>
    uploadToS3({ client: clients.uploads, bucket: Bucket, key: root + key, encryption }, content)
  const withS3Errors = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act()
    } catch (error) {
      throw toS3Error(error, Bucket)
    }
  }
  const get = async (key: string): Promise<NodeJS.ReadableStream | null> => {
    try {
      const { Body } = await clients.requests.send(new GetObjectCommand({ Bucket, Key: root + key }))
      return (Body as NodeJS.ReadableStream | undefined) ?? null
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }
  const hashAt = async (key: string): Promise<string | null> => {
    const content = await get(key)
    return content === null ? null : hashOf(content)
  }
  return {
    listKeys: () =>
      withS3Errors(async () => {
        const keys: string[] = []
        for await (const page of listObjects(clients.requests, { Bucket, Prefix: root }))
          keys.push(...page.map(({ key }) => key.slice(root.length)))
        return keys
      }),
    putFile: (key, path) =>
      withS3Errors(async () => {
        const hash = await hashOf(createReadStream(path))
        if ((await hashAt(key)) === hash) return false
        await upload(key, createReadStream(path))
        if ((await hashAt(key)) !== hash) throw new Error(`The stored object ${key} differs from ${path}.`)
        return true
      }),
    put: (key, content) => withS3Errors(async () => void (await upload(key, Buffer.from(content)))),
    read: (key) =>
      withS3Errors(async () => {
        const content = await get(key)
        if (content === null) return null
        let text = ''
        for await (const piece of content.setEncoding('utf8')) text += piece
        return text
      }),
    remove: (key) =>
      withS3Errors(
        async () => void (await clients.requests.send(new DeleteObjectCommand({ Bucket, Key: root + key }))),
      ),
    close() {
      clients.requests.destroy()
      clients.uploads.destroy()
    },
  }
}

/** SHA-256 in hex. */
async function hashOf(content: NodeJS.ReadableStream): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}
