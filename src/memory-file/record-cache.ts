/** Cache of chunk records by row id. Row ids are never reused (`FoundChunk.row`). */
export type RecordCache = {
  /** A view that is valid until the next {@link RecordCache.keep}; `null` if not cached. */
  get(table: object, row: bigint): Uint8Array | null
  keep(table: object, row: bigint, record: Uint8Array): void
  /** Evicts the records of a table after rows were replaced or deleted. */
  forget(table: object): void
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

  function keep(table: object, row: bigint, record: Uint8Array): void {
    if (record.length > halfBytes) return
    const half = roomFor(record.length)
    const start = half.used
    half.used += record.length
    half.bytes.set(record, start)
    const places = half.places.get(table) ?? new Map<bigint, Place>()
    half.places.set(table, places.set(row, { start, end: half.used }))
  }

  return {
    get(table, row) {
      const kept = viewOf(newer, table, row)
      if (kept !== null) return kept
      const old = viewOf(older, table, row)
      if (old === null) return null
      // Safe even if `keep` reuses the memory of the older generation: overlapping bytes are moved
      // correctly.
      keep(table, row, old)
      return viewOf(newer, table, row)
    },
    keep,
    forget(table) {
      newer?.places.delete(table)
      older?.places.delete(table)
    },
  }
}

function viewOf(half: Generation | null, table: object, row: bigint): Uint8Array | null {
  const place = half?.places.get(table)?.get(row)
  return half && place ? half.bytes.subarray(place.start, place.end) : null
}
