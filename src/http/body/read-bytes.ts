import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'

/** Pieces joined in one turn of the event loop; mostly of 64 KB, so some milliseconds. */
const PIECES_A_TURN = 64
/** From this size on a body is joined, and parsed, so that nobody waits for it: 1 MB of JSON is parsed in 5 to 30 ms. What is answered at once is smaller: for that the way to a thread and back would cost more. */
export const LARGE_BODY_BYTES = 3 * 1024 * 1024

/**
 * All bytes of a request's body, a large one's in memory that threads can share; each piece is shown to `see` as it comes. Rejects with `body_too_large` as soon as more
 * has come ({@link requireLength} knows it before), with `content_type_mismatch` when the sender stops before the end, and with what `see` throws.
 */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  see: (piece: Buffer) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of readPieces(request)) {
    bytes += piece.length
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes)
    see(piece)
    pieces.push(piece)
  }
  return join(pieces)
}

/** The request's body; giving up on it leaves the connection, which the answer needs. Throws `content_type_mismatch` when the sender stops before the end. */
export async function* readPieces(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw new ApiError('content_type_mismatch', { message: 'The body ended before it was complete.', cause })
  }
}

async function join(pieces: readonly Buffer[]): Promise<Buffer> {
  const bytes = pieces.reduce((total, { length }) => total + length, 0)
  if (bytes < LARGE_BODY_BYTES) return Buffer.concat(pieces, bytes)
  const whole = Buffer.from(new SharedArrayBuffer(bytes))
  let end = 0
  for (const [index, piece] of pieces.entries()) {
    if (index % PIECES_A_TURN === 0) await nextTurn()
    end += piece.copy(whole, end)
  }
  return whole
}

/** Throws `body_too_large` when Content-Length alone says so. */
export function requireLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
}

/** The 413 that names the limit of the endpoint. */
export function bodyTooLarge(maxBytes: number): ApiError {
  const megabytes = Math.round((maxBytes / (1024 * 1024)) * 10) / 10
  return new ApiError('body_too_large', { message: `The request body is larger than ${megabytes} MB.` })
}
