const WITH_RUNS = 12_347
const WITHOUT_RUNS = 12_346
/** Containers of more values are bitmaps of 65,536 bits. */
const MOST_LISTED = 4096
const BITMAP_BYTES = 8192
/** With runs, offsets are written from so many containers on. */
const LEAST_WITH_OFFSETS = 4

/** The values of a serialised Roaring bitmap. Throws RangeError where the bytes are none. https://github.com/RoaringBitmap/RoaringFormatSpec */
export function readBitmap(bytes: Buffer): Set<number> {
  const values = new Set<number>()
  const cookie = bytes.readUInt32LE(0)
  const hasRuns = (cookie & 0xffff) === WITH_RUNS
  if (!hasRuns && cookie !== WITHOUT_RUNS) throw new RangeError('not a Roaring bitmap')
  const count = hasRuns ? (cookie >>> 16) + 1 : bytes.readUInt32LE(4)
  const runFlagsAt = 4
  const headAt = hasRuns ? 4 + Math.ceil(count / 8) : 8
  const hasOffsets = !hasRuns || count >= LEAST_WITH_OFFSETS
  let at = headAt + 4 * count + (hasOffsets ? 4 * count : 0)
  for (let i = 0; i < count; i += 1) {
    const high = bytes.readUInt16LE(headAt + 4 * i) * 0x10000
    const cardinality = bytes.readUInt16LE(headAt + 4 * i + 2) + 1
    const isRun = hasRuns && (bytes.readUInt8(runFlagsAt + (i >> 3)) & (1 << (i & 7))) !== 0
    const read = isRun ? readRuns : cardinality > MOST_LISTED ? readBits : readList
    at = read(bytes, at, cardinality, (low) => values.add(high + low))
  }
  return values
}

type ReadContainer = (bytes: Buffer, at: number, cardinality: number, add: (low: number) => void) => number

const readList: ReadContainer = (bytes, at, cardinality, add) => {
  for (let i = 0; i < cardinality; i += 1) add(bytes.readUInt16LE(at + 2 * i))
  return at + 2 * cardinality
}

const readBits: ReadContainer = (bytes, at, _cardinality, add) => {
  for (let low = 0; low < BITMAP_BYTES * 8; low += 1) if (bytes.readUInt8(at + (low >> 3)) & (1 << (low & 7))) add(low)
  return at + BITMAP_BYTES
}

const readRuns: ReadContainer = (bytes, at, _cardinality, add) => {
  const runs = bytes.readUInt16LE(at)
  for (let i = 0; i < runs; i += 1) {
    const first = bytes.readUInt16LE(at + 2 + 4 * i)
    for (let low = first; low <= first + bytes.readUInt16LE(at + 4 + 4 * i); low += 1) add(low)
  }
  return at + 2 + 4 * runs
}
