import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3'
import { abortOldUploads } from './s3-listing.ts'

test('continues after an upload that ended since the listing', async () => {
  const Uploads = ['ended', 'left'].map((UploadId) => ({ Key: 'p/o', UploadId, Initiated: new Date(0) }))
  const aborted: (string | undefined)[] = []
  const send = async (command: unknown) => {
    if (!(command instanceof AbortMultipartUploadCommand)) return { Uploads }
    const { UploadId } = command.input
    if (UploadId === 'ended') throw Object.assign(new Error(), { name: 'NoSuchUpload' })
    aborted.push(UploadId)
    return {}
  }
  const client = { send } as unknown as S3Client
  assert.equal(await abortOldUploads(client, { Bucket: 'b', Prefix: 'p/' }, new Date()), 1)
  assert.deepEqual(aborted, ['left'])
})
