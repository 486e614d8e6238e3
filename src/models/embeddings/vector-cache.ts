import { createHash } from 'node:crypto'

/** Vectors of texts that were embedded lately, in memory. */
export type VectorCache = {
  /** `null` where the text is not known, or no longer. */
  get(text: string): Float32Array | null
  set(text: string, vector: Float32Array): void
  clear(): void
}

/** The key and what a `Map` needs for an entry, about. */
const ENTRY_BYTES = 200

/** Keeps vectors by the hash of their text, never the text, up to `maxBytes`; what was not asked for the longest goes first. */
export function createVectorCache({ maxBytes }: { maxBytes: number }): VectorCache {
  const vectors = new Map<string, Float32Array>()
  let bytes = 0
  const sizeOf = (vector: Float32Array) => vector.byteLength + ENTRY_BYTES

  function drop(key: string): void {
    const vector = vectors.get(key)
    if (vector === undefined) return
    vectors.delete(key)
    bytes -= sizeOf(vector)
  }

  return {
    get(text) {
      const key = hash(text)
      const vector = vectors.get(key)
      if (vector === undefined) return null
      // A Map keeps the order of insertion: whoever was asked for moves to the end.
      vectors.delete(key)
      vectors.set(key, vector)
      return vector
    },
    set(text, vector) {
      const key = hash(text)
      drop(key)
      vectors.set(key, vector)
      bytes += sizeOf(vector)
      for (const oldest of vectors.keys()) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    },
    clear() {
      vectors.clear()
      bytes = 0
    },
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
