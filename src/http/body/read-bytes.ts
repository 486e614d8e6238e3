import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'

/** Blocks joined in one turn of the event loop: 4 MB at most, so some milliseconds. */
const BLOCKS_A_TURN = 4
/** A body is collected in blocks of these sizes, each twice as large as the one before. */
const BLOCK_BYTES = { first: 16 * 1024, max: 1024 * 1024 } as const
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
  const collected = createByteCollector()
  for await (const piece of readPieces(request)) {
    if (collected.bytes() + piece.length > maxBytes) throw bodyTooLarge(maxBytes)
    see(piece)
    collected.add(piece)
  }
  return join(collected.blocks(), collected.bytes())
}

/** Bytes that come in pieces. */
export type ByteCollector = {
  add(piece: Buffer): void
  bytes(): number
  /** All of them, in their order. */
  blocks(): readonly Buffer[]
}

/**
 * Copies pieces into blocks. A piece may be a single byte, which a sender chooses by its chunks: kept as they come, 3 MB of
 * such pieces took 600 MB.
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

/** The request's body; giving up on it leaves the connection, which the answer needs. Throws `content_type_mismatch` when the sender stops before the end. */
export async function* readPieces(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw new ApiError('content_type_mismatch', { message: 'The body ended before it was complete.', cause })
  }
}

async function join(blocks: readonly Buffer[], bytes: number): Promise<Buffer> {
  if (bytes < LARGE_BODY_BYTES) return Buffer.concat(blocks, bytes)
  const whole = Buffer.from(new SharedArrayBuffer(bytes))
  let end = 0
  for (const [index, block] of blocks.entries()) {
    if (index % BLOCKS_A_TURN === 0) await nextTurn()
    end += block.copy(whole, end)
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
