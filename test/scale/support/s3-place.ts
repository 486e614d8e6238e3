import type { S3Place } from '../../../src/files/s3-place.ts'
import { createS3Files, type S3Files } from '../../../src/objects/s3-blobs.ts'
import { createS3Clients } from '../../../src/objects/s3-client.ts'
import type { CephServer } from './ceph-server.ts'

/** A prefix of the server's bucket, reached through `endpoint` (the server itself where absent). */
export function s3Place(server: CephServer, prefix: string, endpoint: string = server.endpoint): S3Place {
  const { bucket, accessKeyId, secretAccessKey } = server
  const credentials = { accessKeyId, secretAccessKey, sessionToken: null }
  return { bucket, prefix, endpoint, region: 'us-east-1', credentials, pathStyle: true, encryption: null }
}

/** The objects in the server's bucket by full key. */
export function s3Files(server: CephServer): S3Files {
  const place = s3Place(server, '')
  return createS3Files({ ...place, ...createS3Clients(place) })
}

/** All keys in the server's bucket with this prefix. */
export function listKeys(server: CephServer, prefix: string): Promise<string[]> {
  return s3Files(server).listKeys(prefix)
}
