import type { BmpHeader } from './bmp-header.ts'

/** Writes red, green and blue of pixel `x` of the row that begins at byte `row` of the file into `target`. */
export type ReadPixel = (target: Uint8Array, to: number, from: { row: number; x: number }) => void

/** How the pixels of an uncompressed file are read. The caller has seen to it that the rows are there. */
export function createPixelReader(file: Buffer, header: BmpHeader): ReadPixel {
  const { bitsPerPixel } = header
  if (bitsPerPixel <= 8) return readIndexed(file, header)
  if (bitsPerPixel === 24) return readTriples(file)
  return readMasked(file, header)
}

function readIndexed(file: Buffer, { bitsPerPixel, palette }: BmpHeader): ReadPixel {
  const mask = 2 ** bitsPerPixel - 1
  return (target, to, { row, x }) => {
    const bit = x * bitsPerPixel
    const shift = 8 - bitsPerPixel - (bit & 7)
    const index = (((file[row + (bit >> 3)] ?? 0) >> shift) & mask) * 3
    for (let channel = 0; channel < 3; channel += 1) target[to + channel] = palette[index + channel] ?? 0
  }
}

function readTriples(file: Buffer): ReadPixel {
  return (target, to, { row, x }) => {
    const at = row + x * 3
    target[to] = file[at + 2] ?? 0
    target[to + 1] = file[at + 1] ?? 0
    target[to + 2] = file[at] ?? 0
  }
}

function readMasked(file: Buffer, { bitsPerPixel, masks }: BmpHeader): ReadPixel {
  const [red, green, blue, alpha] = [masks.red, masks.green, masks.blue, masks.alpha].map(createChannel)
  const readValue = bitsPerPixel === 16 ? readShort : readLong
  return (target, to, { row, x }) => {
    const value = readValue(file, row, x)
    const cover = masks.alpha === 0 ? 1 : (alpha?.(value) ?? 255) / 255
    const paper = 255 * (1 - cover)
    target[to] = (red?.(value) ?? 0) * cover + paper
    target[to + 1] = (green?.(value) ?? 0) * cover + paper
    target[to + 2] = (blue?.(value) ?? 0) * cover + paper
  }
}

function readShort(file: Buffer, row: number, x: number): number {
  return file.readUInt16LE(row + x * 2)
}

function readLong(file: Buffer, row: number, x: number): number {
  return file.readUInt32LE(row + x * 4)
}

/** A channel's bits scaled to 0 to 255; no bits are no colour. */
function createChannel(mask: number): (value: number) => number {
  if (mask === 0) return () => 0
  const shift = 31 - Math.clz32(mask & -mask)
  const most = mask >>> shift
  return (value) => (((value & mask) >>> shift) * 255) / most
}
