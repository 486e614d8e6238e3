import { createGunzip } from 'node:zlib'
import { MAX_FILE_BYTES } from '../limits.ts'
import { tooLargeUnpacked } from './parse-event.ts'

/** Media type of a text that is packed with gzip. RFC 6713. */
export const GZIP = 'application/gzip'

/** A gzip archive that is damaged or truncated; what came before was unpacked. */
export class DamagedGzip extends Error {}

/** Bytes unpacked at a time: at most 8 MB of text, as gzip packs a thousand times at best. */
const PIECE_BYTES = 8 * 1024
const MB = 1024 * 1024

/**
 * Unpacks a gzip archive, which can have several parts. Throws {@link DamagedGzip} after the bytes
 * before the damage, and `unprocessable_document` for more bytes than a file may have.
 */
export async function* unpackGzip(chunks: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  const unzip = createGunzip()
  const ready: Buffer[] = []
  const state: { total: number; damage: Error | null } = { total: 0, damage: null }
  unzip.on('error', (error) => {
    state.damage = error
  })
  unzip.on('data', (piece: Buffer) => {
    state.total += piece.length
    ready.push(piece)
  })
  // After damage, zlib does not always call back a write.
  const closed = new Promise<void>((resolve) => unzip.once('close', () => resolve()))
  const take = () => {
    if (state.total > MAX_FILE_BYTES) throw tooLargeUnpacked(`more than ${MAX_FILE_BYTES / MB} MB`)
    return ready.splice(0)
  }
  try {
    for await (const chunk of chunks) {
      for (const piece of cutPieces(chunk as Buffer)) {
        await Promise.race([new Promise<void>((resolve) => unzip.write(piece, () => resolve())), closed])
        yield* take()
        if (state.damage !== null) throw new DamagedGzip(DAMAGED, { cause: state.damage })
      }
    }
    // All bytes are unpacked before the end is checked, so that a truncated archive loses nothing.
    await Promise.race([new Promise<void>((resolve) => unzip.once('end', () => resolve()).end()), closed])
    yield* take()
    if (state.damage !== null) throw new DamagedGzip(DAMAGED, { cause: state.damage })
  } finally {
    unzip.destroy()
  }
}

const DAMAGED = 'The gzip archive is damaged or truncated; the text before the damage was read.'

function* cutPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
