import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Blobs } from '../../../objects/blobs.ts'

/** An original as it came: a file on the local disk, or its bytes, also as they are made. */
export type Original = { path: string } | Buffer | Readable

/**
 * Puts an original into the object store; a file is gone from the local disk afterwards. Gives its SHA-256, lower-case hex, of what was there before it was put, so
 * that whatever happens to it later can be told. Rejects as the store does.
 */
export async function keepOriginal(
  blobs: Pick<Blobs, 'put' | 'putFile'>,
  key: string,
  original: Original,
): Promise<string> {
  const hash = createHash('sha256')
  if (Buffer.isBuffer(original)) {
    hash.update(original)
    await blobs.put(key, original)
  } else if (original instanceof Readable) {
    await blobs.put(key, Readable.from(hashed(original, hash)))
  } else {
    await pipeline(createReadStream(original.path), hash)
    await blobs.putFile(key, original.path)
  }
  return hash.digest('hex')
}

async function* hashed(content: Readable, hash: Hash): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    hash.update(bytes as Buffer)
    yield bytes as Buffer
  }
}
