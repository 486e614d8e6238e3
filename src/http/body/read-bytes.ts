import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'

/** Blocks to join per turn of the event loop: up to 4 MB, a few milliseconds. */
const BLOCKS_PER_TURN = 4
/** Sizes of the blocks, each twice as large as the previous one. */
const BLOCK_BYTES = { first: 16 * 1024, max: 1024 * 1024 } as const
/**
 * Minimum size of a body that is joined and parsed without blocking the event loop. 1 MB of JSON
 * takes 5 to 30 ms to parse. Smaller bodies are parsed directly, because the round trip to a thread
 * costs more.
 */
export const LARGE_BODY_BYTES = 3 * 1024 * 1024

/**
 * Reads the whole body, into shared memory if it is large, and passes each piece to `see`. Rejects
 * with `body_too_large` as soon as the limit is exceeded ({@link requireContentLength} checks
 * earlier), and with `content_type_mismatch` if the client stops early. Errors of `see` also
 * reject.
 */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  see: (piece: Buffer) => void,
): Promise<Buffer> {
  const collected = createByteCollector()
  for await (const piece of readPieces(request)) {
    if (collected.bytes() + piece.length > maxBytes) throw bodyTooLarge(maxBytes)
    see(piece)
    collected.add(piece)
  }
  return join(collected.blocks(), collected.bytes())
}

/** Collector for bytes that arrive in pieces. */
export type ByteCollector = {
  add(piece: Buffer): void
  bytes(): number
  /** All bytes, in order. */
  blocks(): readonly Buffer[]
}

/**
 * Copies pieces into blocks. A client can send pieces of a single byte (HTTP chunks): kept
 * individually, 3 MB of such pieces used 600 MB.
 */
export function createByteCollector(): ByteCollector {
  const full: Buffer[] = []
  let last: Buffer = Buffer.alloc(0)
  let filled = 0
  let bytes = 0

  function openBlock(): void {
    if (filled > 0) full.push(last)
    last = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES.max, Math.max(BLOCK_BYTES.first, 2 * last.length)))
    filled = 0
  }

  return {
    add(piece) {
      bytes += piece.length
      for (let start = 0; start < piece.length; ) {
        if (filled === last.length) openBlock()
        const copied = piece.copy(last, filled, start)
        filled += copied
        start += copied
      }
    },
    bytes: () => bytes,
    blocks: () => [...full, last.subarray(0, filled)],
  }
}

/**
 * Yields the body. Leaving the loop early keeps the connection open for the response. Throws
 * `content_type_mismatch` if the client stops early.
 */
export async function* readPieces(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw new ApiError('content_type_mismatch', { message: 'The request body is incomplete.', cause })
  }
}

async function join(blocks: readonly Buffer[], bytes: number): Promise<Buffer> {
  if (bytes < LARGE_BODY_BYTES) return Buffer.concat(blocks, bytes)
  const whole = Buffer.from(new SharedArrayBuffer(bytes))
  let end = 0
  for (const [index, block] of blocks.entries()) {
    if (index % BLOCKS_PER_TURN === 0) await nextTurn()
    end += block.copy(whole, end)
  }
  return whole
}

/** Throws `body_too_large` if Content-Length exceeds the limit. */
export function requireContentLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
}

/** Error 413 with the limit of the endpoint. */
export function bodyTooLarge(maxBytes: number): ApiError {
  const megabytes = Math.round((maxBytes / (1024 * 1024)) * 10) / 10
  return new ApiError('body_too_large', { message: `The request body is larger than ${megabytes} MB.` })
}
