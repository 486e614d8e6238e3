import { createS3Clients, type S3Place } from '../../../src/blobs/s3-client.ts'
import { listObjects } from '../../../src/blobs/s3-listing.ts'
import type { CephServer } from './ceph-server.ts'

/** A prefix of the server's bucket, reached through `endpoint` (the server itself where absent). */
export function s3Place(server: CephServer, prefix: string, endpoint: string = server.endpoint): S3Place {
  const { bucket, accessKeyId, secretAccessKey } = server
  const credentials = { accessKeyId, secretAccessKey, sessionToken: null }
  return { bucket, prefix, endpoint, region: 'us-east-1', credentials, pathStyle: true, encryption: null }
}

/** Every key in the server's bucket that begins so. */
export async function listKeys(server: CephServer, prefix: string): Promise<string[]> {
  const { requests, uploads } = createS3Clients(s3Place(server, ''))
  const keys: string[] = []
  for await (const page of listObjects(requests, { Bucket: server.bucket, Prefix: prefix }))
    keys.push(...page.map(({ key }) => key))
  requests.destroy()
  uploads.destroy()
  return keys
}
