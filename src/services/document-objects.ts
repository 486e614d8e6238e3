import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { isId } from '../ids.ts'
import type { Blobs } from '../objects/blobs.ts'
import { cutText } from '../parsers/text/block-reader.ts'
import { MIN_HEAD_CHARACTERS } from '../parsers/text/read-text.ts'

/**
 * The objects of a document: a large text, the original, the upload that waits for its job, and the
 * recognized pages of that job.
 */
export type DocumentObject = 'text' | 'source' | 'upload' | `recognized/${number}`

/**
 * Objects that a complete document no longer needs: the uploaded file and the recognized pages,
 * which are kept for a retry. A folder ends in `/`.
 */
export const OF_UPLOAD = ['upload', 'recognized/'] as const

/** The key prefix of all objects of a document; ends in `/`. */
export function documentFolder(memoryId: string, documentId: string): string {
  return `${memoryFolder(memoryId)}documents/${documentId}/`
}

/** The key prefix of all objects of a memory; ends in `/`. */
export function memoryFolder(memoryId: string): string {
  return `memories/${memoryId}/`
}

/** The key of an object of a document. */
export function documentObject(memoryId: string, documentId: string, name: DocumentObject): string {
  return documentFolder(memoryId, documentId) + name
}

/** Splits a key into memory, document and name; `null` for a key outside of document folders. */
export function readObjectKey(key: string): { memoryId: string; documentId: string; name: string } | null {
  const [, memoryId = '', documentId = '', name = ''] = /^memories\/([^/]+)\/documents\/([^/]+)\/(.+)$/.exec(key) ?? []
  return isId('mem', memoryId) && isId('doc', documentId) ? { memoryId, documentId, name } : null
}

/** True for the name of an object in {@link OF_UPLOAD}. */
export function isOfUpload(name: string): boolean {
  return OF_UPLOAD.some((own) => (own.endsWith('/') ? name.startsWith(own) : name === own))
}

/**
 * Characters encoded in one turn of the event loop, about 2 ms. Encoding 75 million Russian letters
 * in one turn took 0.4 s.
 */
const PIECE_CHARACTERS = 512 * 1024

/** Encodes a text for the object store in UTF-8; a long text becomes a stream. */
export function encodeText(text: string | readonly string[]): Buffer | Readable {
  const pieces = typeof text === 'string' ? [...cutText(text, PIECE_CHARACTERS)] : text
  const [first = ''] = pieces
  return pieces.length > 1 ? Readable.from(encodePieces(pieces)) : Buffer.from(first)
}

function* encodePieces(pieces: readonly string[]): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** Decodes a stored text. A leading byte order mark is kept. */
export async function decodeText(content: Readable): Promise<string> {
  return (await decodePieces(content)).join('')
}

/**
 * {@link decodeText} in pieces, for `readText`. Joining 147 million characters blocked the event
 * loop for 0.2 s at the first access.
 */
export async function decodePieces(content: Readable): Promise<string[]> {
  const decoder = new StringDecoder('utf8')
  const pieces: string[] = []
  let piece = ''
  for await (const bytes of content) {
    piece += decoder.write(bytes as Buffer)
    if (piece.length < MIN_HEAD_CHARACTERS) continue
    pieces.push(piece)
    piece = ''
  }
  return [...pieces, piece + decoder.end()]
}

/** An original: a file on the local disk, bytes, or a stream. */
export type Original = { path: string } | Buffer | Readable

/**
 * Stores an original and returns its SHA-256 in lower-case hex, computed before storing so that
 * later damage can be detected. A file is moved from the local disk. Rejects as the store does.
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
