import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { cutText } from '../parsers/text/block-reader.ts'
import { MIN_HEAD_CHARACTERS } from '../parsers/text/read-text.ts'

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
