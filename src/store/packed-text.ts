import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Kysely } from 'kysely'
import { isPostgres } from './locks.ts'
import type { Tables } from './schema.ts'

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

/** The text that {@link packText} was given. */
export function unpackText(stored: string | Uint8Array): string {
  return typeof stored === 'string' ? stored : zstdDecompressSync(stored).toString()
}
