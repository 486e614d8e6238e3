import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { isId } from '../ids.ts'
import type { Blobs } from '../objects/blobs.ts'
import { cutText } from '../parsers/text/block-reader.ts'
import { MIN_HEAD_CHARACTERS } from '../parsers/text/read-text.ts'

/** What the object store keeps of a document: its text where that is large, the original, the file that waits for its job, and pages that this job recognised. */
export type DocumentObject = 'text' | 'source' | 'upload' | `recognized/${number}`

/** What a document that is whole needs no longer: the file as it came, and its recognised pages, which are kept in case it is read again. A folder ends in `/`. */
export const OF_UPLOAD = ['upload', 'recognized/'] as const

/** Where all objects of a document lie: what their keys begin with, which ends in `/`. */
export function documentFolder(memoryId: string, documentId: string): string {
  return `${memoryFolder(memoryId)}documents/${documentId}/`
}

/** Where all objects of a memory lie: what their keys begin with, which ends in `/`. */
export function memoryFolder(memoryId: string): string {
  return `memories/${memoryId}/`
}

/** The key of an object. */
export function documentObject(memoryId: string, documentId: string, name: DocumentObject): string {
  return documentFolder(memoryId, documentId) + name
}

/** Whose object a key is, and its name there; `null` where it is not in the folder of a document. */
export function readObjectKey(key: string): { memoryId: string; documentId: string; name: string } | null {
  const [, memoryId = '', documentId = '', name = ''] = /^memories\/([^/]+)\/documents\/([^/]+)\/(.+)$/.exec(key) ?? []
  return isId('mem', memoryId) && isId('doc', documentId) ? { memoryId, documentId, name } : null
}

/** Whether an object of a document is one of {@link OF_UPLOAD}, by its name. */
export function isOfUpload(name: string): boolean {
  return OF_UPLOAD.some((own) => (own.endsWith('/') ? name.startsWith(own) : name === own))
}

/** Encoded in one turn of the event loop, in some 2 ms: 75 million Russian letters took .4 s in one. */
const PIECE_CHARACTERS = 512 * 1024

/** A text, whole or in pieces, as it is put into the object store, in UTF-8: a long one piece by piece. */
export function encodeText(text: string | readonly string[]): Buffer | Readable {
  const pieces = typeof text === 'string' ? [...cutText(text, PIECE_CHARACTERS)] : text
  const [first = ''] = pieces
  return pieces.length > 1 ? Readable.from(encodePieces(pieces)) : Buffer.from(first)
}

function* encodePieces(pieces: readonly string[]): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** The text that was put there; every character of it stays, a byte order mark in front as well. */
export async function decodeText(content: Readable): Promise<string> {
  return (await decodePieces(content)).join('')
}

/**
 * {@link decodeText} in pieces, as `readText` takes them: put together, 147 million characters held everybody up for .2 s when the first of them was looked
 * at.
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
