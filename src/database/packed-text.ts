import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Kysely } from 'kysely'
import { ApiError, isDamage } from '../errors.ts'
import type { Tables } from './schema.ts'
import { isPostgres } from './statements.ts'

/** Shorter texts hardly shrink. */
const MIN_PACKED_CHARACTERS = 256

/**
 * Compresses a text for SQLite to about half, in 10 us per thousand characters; PostgreSQL
 * compresses long values itself. SQLite accepts bytes in any column.
 */
export function packText(db: Kysely<Tables>, text: string): string | Uint8Array {
  if (text.length < MIN_PACKED_CHARACTERS || isPostgres(db)) return text
  const bytes = Buffer.from(text)
  // With a known size, zstd allocates exactly enough memory for work and output, which halves the
  // time.
  return zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, chunkSize: bytes.length })
}

/** Decompresses a text of {@link packText}. Throws `data_damaged` for invalid bytes. */
export function unpackText(stored: string | Uint8Array): string {
  if (typeof stored === 'string') return stored
  try {
    return zstdDecompressSync(stored).toString()
  } catch (cause) {
    throw new ApiError('data_damaged', { cause })
  }
}

/**
 * Like {@link unpackText}, but returns an empty text for invalid bytes, which a comparison detects.
 */
export function unpackOrEmpty(stored: string | Uint8Array): string {
  try {
    return unpackText(stored)
  } catch (error) {
    if (!isDamage(error)) throw error
    return ''
  }
}
