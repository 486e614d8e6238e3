/*
 * Windows are the embeddings of the sentences of a chunk, one after another, as signed bytes (value
 * = byte / 127). They are packed to four bits a number: at eight, they took half of the bytes of a
 * chunk on disk. Ranking reads all of them.
 *
 * Each block of 32 numbers is scaled by its largest number, so that a few large numbers do not
 * coarsen the rest. A block is the largest number, as a signed byte, then codes from -8 to 7, two
 * in a byte, low half first. A number is its code times -1/8 of the largest. So -8 gives the
 * largest number exactly, with either sign, and every code is used. The error of a cosine is 0.007
 * (docs/decisions/0038).
 */

const BLOCK = 32
const BLOCK_BYTES = 1 + BLOCK / 2
const MIN_CODE = -8
const MAX_CODE = 7

/** Packs signed bytes to four bits a number. */
export function packWindows(windows: Int8Array): Uint8Array {
  const count = windows.length
  const packed = new Uint8Array(packedBytes(count))
  let end = 0
  for (let start = 0; start < count; start += BLOCK) {
    const stop = Math.min(start + BLOCK, count)
    const largest = findLargest(windows, start, stop)
    const scale = largest === 0 ? 0 : MIN_CODE / largest
    packed[end++] = largest
    for (let at = start; at < stop; at += 2) {
      const first = toCode(windows[at] ?? 0, scale)
      const second = at + 1 < stop ? toCode(windows[at + 1] ?? 0, scale) : 0
      packed[end++] = (first & 15) | (second << 4)
    }
  }
  return packed
}

/** Number of packed windows of so many numbers each. */
export function countWindows(packed: Uint8Array, dimensions: number): number {
  const numbers = 2 * (packed.length - Math.ceil(packed.length / BLOCK_BYTES))
  return dimensions === 0 ? 0 : Math.floor(numbers / dimensions)
}

/**
 * Reads windows of so many numbers each. Each number differs by at most an eighth of the largest in
 * its block. The ranking reads them in `ranking/kernels.wat`.
 */
export function unpackWindows(packed: Uint8Array, dimensions: number): Int8Array {
  const count = dimensions * countWindows(packed, dimensions)
  const windows = new Int8Array(count)
  let from = 0
  for (let start = 0; start < count; start += BLOCK) {
    const stop = Math.min(start + BLOCK, count)
    // Shifting left and back extends the sign of a byte or half byte.
    const step = -(((packed[from++] ?? 0) << 24) >> 24)
    for (let at = start; at < stop; at += 2) {
      const codes = packed[from++] ?? 0
      windows[at] = (((codes << 28) >> 28) * step + 4) >> 3
      // With an odd count this write is out of range and has no effect.
      windows[at + 1] = (((codes << 24) >> 28) * step + 4) >> 3
    }
  }
  return windows
}

function packedBytes(count: number): number {
  const rest = count % BLOCK
  return Math.floor(count / BLOCK) * BLOCK_BYTES + (rest > 0 ? 1 + Math.ceil(rest / 2) : 0)
}

/** The number of the largest magnitude, with its sign. */
function findLargest(windows: Int8Array, start: number, stop: number): number {
  let largest = 0
  for (let at = start; at < stop; at += 1) {
    const number = windows[at] ?? 0
    if (Math.abs(number) > Math.abs(largest)) largest = number
  }
  return largest
}

/** Rounds by truncation: the truncated value is never negative. */
function toCode(number: number, scale: number): number {
  return Math.min(MAX_CODE, ((number * scale - MIN_CODE + 0.5) | 0) + MIN_CODE)
}
