import type { S3Place } from '../../../src/blobs/s3-client.ts'
import type { CephServer } from './ceph-server.ts'

/** A prefix of the server's bucket, reached through `endpoint` (the server itself where absent). */
export function s3Place(server: CephServer, prefix: string, endpoint: string = server.endpoint): S3Place {
  const { bucket, accessKeyId, secretAccessKey } = server
  const credentials = { accessKeyId, secretAccessKey, sessionToken: null }
  return { bucket, prefix, endpoint, region: 'us-east-1', credentials, pathStyle: true, encryption: null }
}
