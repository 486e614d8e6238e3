import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Kysely } from 'kysely'
import { ApiError, isDamage } from '../errors.ts'
import type { Tables } from './schema.ts'
import { isPostgres } from './statements.ts'

/** Shorter ones hardly become smaller. */
const LEAST_CHARACTERS = 256

/**
 * A text as it is stored: in SQLite compressed to half, in 10 us a thousand characters; PostgreSQL compresses what is long by itself. SQLite takes bytes
 * in any column.
 */
export function packText(db: Kysely<Tables>, text: string): string | Uint8Array {
  if (text.length < LEAST_CHARACTERS || isPostgres(db)) return text
  const bytes = Buffer.from(text)
  // Told the size, it takes no more room than that, neither to work nor for the result: half of the time.
  return zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, chunkSize: bytes.length })
}

/** The text that {@link packText} was given. Throws `data_damaged` for bytes that are no longer of one. */
export function unpackText(stored: string | Uint8Array): string {
  if (typeof stored === 'string') return stored
  try {
    return zstdDecompressSync(stored).toString()
  } catch (cause) {
    throw new ApiError('data_damaged', { cause })
  }
}

/** The same; a text that says nothing for damaged bytes, as who compares it finds it wrong all the same. */
export function unpackOrEmpty(stored: string | Uint8Array): string {
  try {
    return unpackText(stored)
  } catch (error) {
    if (!isDamage(error)) throw error
    return ''
  }
}
