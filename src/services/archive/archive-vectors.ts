import { endianness } from 'node:os'
import { isUnitVector } from '../../engine/vectors.ts'
import { invalidArchive } from './archive-format.ts'
import type { ArchivedChunk } from './archive-schemas.ts'

/** Concatenated vectors of chunks. */
export type ChunkVectors = { vectors: Float32Array; windows: Int8Array; dimensions: number }

/** The largest embedding models of 2026 have 4,096 to 8,192 dimensions. */
const MAX_DIMENSIONS = 65_536
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT

/**
 * Vectors of the chunks of a part and of their windows. Throws `invalid_archive` when counts
 * differ, a length is not 1, or a component is not a number.
 */
export function readVectors(
  entry: string,
  chunks: readonly ArchivedChunk[],
  { vectors, windows }: { vectors: Buffer; windows: Buffer },
): ChunkVectors {
  const dimensions = vectors.length / FLOAT_BYTES / chunks.length
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw invalidArchive(`${entry}: the number of vectors differs from the number of chunks.`)
  }
  const windowCount = chunks.reduce((total, chunk) => total + chunk.windows, 0)
  if (windows.length !== windowCount * dimensions) {
    throw invalidArchive(`${entry}: the number of window vectors differs from the chunks.`)
  }
  const floats = fromLittleEndian(vectors)
  for (let at = 0; at < floats.length; at += dimensions) {
    if (isUnitVector(floats.subarray(at, at + dimensions))) continue
    throw invalidArchive(`${entry}: a vector is not numeric or not of length 1.`)
  }
  return { vectors: floats, windows: new Int8Array(windows.buffer, windows.byteOffset, windows.length), dimensions }
}

/** Copies little-endian floats. Takes a tenth of the time of reading the floats individually. */
export function fromLittleEndian(bytes: Uint8Array): Float32Array {
  const floats = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT)
  const copy = Buffer.from(floats.buffer)
  copy.set(bytes)
  if (endianness() === 'BE') copy.swap32()
  return floats
}

/** Concatenates vectors as little-endian floats. */
export function toLittleEndian(vectors: readonly Float32Array[]): Buffer {
  const bytes = Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
  return endianness() === 'BE' ? bytes.swap32() : bytes
}
