import { endianness } from 'node:os'

/** The floats of little-endian bytes, in memory of their own. A tenth of the time of reading them one by one. */
export function fromLittleEndian(bytes: Uint8Array): Float32Array {
  const floats = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT)
  const copy = Buffer.from(floats.buffer)
  copy.set(bytes)
  if (endianness() === 'BE') copy.swap32()
  return floats
}

/** The little-endian bytes of these vectors, one behind the other. */
export function toLittleEndian(vectors: readonly Float32Array[]): Buffer {
  const bytes = Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
  return endianness() === 'BE' ? bytes.swap32() : bytes
}
