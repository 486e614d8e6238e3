/** Cache of chunk records by row id. Row ids are never reused (`FoundChunk.row`). */
export type RecordCache = {
  /** A view that is valid until the next {@link RecordCache.put}; `null` if not cached. */
  get(table: object, row: bigint): Uint8Array | null
  put(table: object, row: bigint, record: Uint8Array): void
  /** Evicts the records of a table after rows were replaced or deleted. */
  evict(table: object): void
}

type Generation = { bytes: Buffer; used: number; places: WeakMap<object, Map<bigint, Place>> }
type Place = { start: number; end: number }

/**
 * Keeps records in two generations of `maxBytes` together, allocated on first use; none with 0. A
 * hit copies the record into the newer generation. When the newer one is full, the older one is
 * discarded with all records that were not read since. Records of a closed table are never found.
 */
export function createRecordCache(maxBytes: number): RecordCache {
  const halfBytes = Math.floor(maxBytes / 2)
  let newer: Generation | null = null
  let older: Generation | null = null

  function roomFor(bytes: number): Generation {
    if (newer === null || newer.used + bytes > halfBytes) {
      const given: Generation | null = older
      older = newer
      newer = { bytes: given?.bytes ?? Buffer.allocUnsafeSlow(halfBytes), used: 0, places: new WeakMap() }
    }
    return newer
  }

  function put(table: object, row: bigint, record: Uint8Array): void {
    if (record.length > halfBytes) return
    const generation = roomFor(record.length)
    const start = generation.used
    generation.used += record.length
    generation.bytes.set(record, start)
    const places = generation.places.get(table) ?? new Map<bigint, Place>()
    generation.places.set(table, places.set(row, { start, end: generation.used }))
  }

  return {
    get(table, row) {
      const kept = viewOf(newer, table, row)
      if (kept !== null) return kept
      const old = viewOf(older, table, row)
      if (old === null) return null
      // Safe even if `put` reuses the memory of the older generation: overlapping bytes are moved
      // correctly.
      put(table, row, old)
      return viewOf(newer, table, row)
    },
    put,
    evict(table) {
      newer?.places.delete(table)
      older?.places.delete(table)
    },
  }
}

function viewOf(generation: Generation | null, table: object, row: bigint): Uint8Array | null {
  const place = generation?.places.get(table)?.get(row)
  return generation && place ? generation.bytes.subarray(place.start, place.end) : null
}
