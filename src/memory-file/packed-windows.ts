/*
 * Windows at four bits a number instead of eight: half of what a chunk took on the disk were its windows, and all that are ranked are read. Each block
 * of 32 numbers is scaled by its largest, so that a few large ones do not coarsen all the others: first that number, a byte with its sign, then codes
 * from -8 to 7, the first of each two in the lower half of a byte. A number is its code times -1/8 of the largest: -8 gives back the largest, whatever
 * its sign, and no code is left unused. A cosine is 0.007 off (docs/decisions/0038).
 */

const BLOCK = 32
const LEAST = -8
const MOST = 7

/** The windows, packed. */
export function packWindows(windows: Int8Array): Uint8Array {
  const count = windows.length
  const packed = new Uint8Array(packedBytes(count))
  let end = 0
  for (let start = 0; start < count; start += BLOCK) {
    const stop = Math.min(start + BLOCK, count)
    const largest = largestOf(windows, start, stop)
    const scale = largest === 0 ? 0 : LEAST / largest
    packed[end++] = largest
    for (let at = start; at < stop; at += 2) {
      const first = codeOf(windows[at] ?? 0, scale)
      const second = at + 1 < stop ? codeOf(windows[at + 1] ?? 0, scale) : 0
      packed[end++] = (first & 15) | (second << 4)
    }
  }
  return packed
}

/** So many numbers of windows out of what {@link packWindows} gave: each as it was, but for an eighth of the largest in its block. */
export function unpackWindows(packed: Uint8Array, count: number): Int8Array {
  const windows = new Int8Array(count)
  let from = 0
  for (let start = 0; start < count; start += BLOCK) {
    const stop = Math.min(start + BLOCK, count)
    // Shifts to the left and back spread the sign of a byte and of half a byte; 128 chunks are unpacked for every search.
    const step = -(((packed[from++] ?? 0) << 24) >> 24)
    for (let at = start; at < stop; at += 2) {
      const codes = packed[from++] ?? 0
      windows[at] = (((codes << 28) >> 28) * step + 4) >> 3
      // Behind an odd number of numbers there is no second one, and a write there is none.
      windows[at + 1] = (((codes << 24) >> 28) * step + 4) >> 3
    }
  }
  return windows
}

function packedBytes(count: number): number {
  const rest = count % BLOCK
  return Math.floor(count / BLOCK) * (1 + BLOCK / 2) + (rest > 0 ? 1 + Math.ceil(rest / 2) : 0)
}

/** With its sign. */
function largestOf(windows: Int8Array, start: number, stop: number): number {
  let largest = 0
  for (let at = start; at < stop; at += 1) {
    const number = windows[at] ?? 0
    if (Math.abs(number) > Math.abs(largest)) largest = number
  }
  return largest
}

/** Rounded; what is cut off here is positive always. */
function codeOf(number: number, scale: number): number {
  return Math.min(MOST, ((number * scale - LEAST + 0.5) | 0) + LEAST)
}
