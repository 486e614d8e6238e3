/** Records of chunks by where they stand in a table, kept as they were read: nothing else ever stands there (`FoundChunk.row`). */
export type RecordCache = {
  /** A view that holds until the next {@link RecordCache.keep}; `null` where it is not kept. */
  get(table: object, row: bigint): Uint8Array | null
  keep(table: object, row: bigint, record: Uint8Array): void
  /** What is kept of the table is not given any more: some of it was replaced or removed. */
  forget(table: object): void
}

type Generation = { bytes: Buffer; used: number; places: WeakMap<object, Map<bigint, Place>> }
type Place = { start: number; end: number }

/**
 * Keeps records in two halves of `maxBytes` together, taken when they are first needed; none with 0. What is asked for goes on in the newer one; when that is full, the
 * older one is given up, with all that was not asked for since. Of a table that was closed nothing is found.
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
      // In time, also where the older half is the one that is given up for it: bytes that overlap are moved as if they were copied first.
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
