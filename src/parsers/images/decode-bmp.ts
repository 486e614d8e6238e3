import { unreadableImage } from '../parse-event.ts'

/** A picture in RGB, rows from the top, transparent parts on white. */
type BmpImage = { data: Uint8Array; width: number; height: number; dpi: number | null }

/**
 * Decodes a BMP file: 1 to 32 bits, palettes, bit fields with alpha, run lengths, top-down, headers
 * of OS/2 and Windows 3 to 5.
 *
 * Throws `image_unreadable` for a truncated, damaged or unknown file, or for more than `maxPixels`
 * pixels, checked before decoding.
 */
export function decodeBmp(file: Buffer, maxPixels: number): BmpImage {
  const header = readBmpHeader(file)
  const { width, height, dpi } = header
  if (width * height > maxPixels) throw unreadableImage(`has ${width} × ${height} pixels, too many to read`)
  const data = header.compression === 'none' ? decodeRows(file, header) : decodeRuns(file, header)
  return { data, width, height, dpi }
}

function decodeRows(file: Buffer, header: BmpHeader): Uint8Array {
  const { width, height, bitsPerPixel, isTopDown, pixelsAt } = header
  // Rows are padded to four bytes; the last row may lack its padding.
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8)
  const stride = Math.ceil(rowBytes / 4) * 4
  if (file.length < pixelsAt + (height - 1) * stride + rowBytes)
    throw unreadableImage('is truncated: rows of pixels are missing')
  const readPixel = createPixelReader(file, header)
  const data = new Uint8Array(width * height * 3)
  for (let row = 0; row < height; row += 1) {
    const from = pixelsAt + row * stride
    let to = (isTopDown ? row : height - 1 - row) * width * 3
    for (let x = 0; x < width; x += 1, to += 3) readPixel(data, to, { row: from, x })
  }
  return data
}

/**
 * Writes red, green and blue of pixel `x` into `target`, from the row that starts at byte `row` of
 * the file.
 */
type ReadPixel = (target: Uint8Array, to: number, from: { row: number; x: number }) => void

/** Creates the reader of uncompressed pixels. The caller has verified that all rows exist. */
function createPixelReader(file: Buffer, header: BmpHeader): ReadPixel {
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

/** Position of the decoder: in the file, and in the image in rows as stored. */
type Cursor = { at: number; x: number; row: number }

/** Second byte of an escape. Larger values are the number of literal pixels that follow. */
const END_OF_ROW = 0
const END_OF_PICTURE = 1
const SKIP = 2

/**
 * Decodes RLE8 and RLE4. Skipped pixels are white, as in browsers; runs beyond the end of a row are
 * cut. Throws `image_unreadable` if the data ends before the last row.
 */
function decodeRuns(file: Buffer, header: BmpHeader): Uint8Array {
  const { width, height } = header
  const data = new Uint8Array(width * height * 3).fill(255)
  const cursor: Cursor = { at: header.pixelsAt, x: 0, row: 0 }
  while (cursor.at + 1 < file.length) {
    const count = file[cursor.at] ?? 0
    const value = file[cursor.at + 1] ?? 0
    cursor.at += 2
    if (count > 0) paint(data, header, { cursor, count, indexOf: (pixel) => indexIn(value, pixel, header) })
    else if (value === END_OF_PICTURE) return data
    else if (value === END_OF_ROW) startRow(cursor)
    else if (value === SKIP) skip(cursor, file)
    else paintLiteral(data, header, { file, cursor, count: value })
    if (cursor.row >= height) return data
  }
  if (cursor.row >= height - 1) return data
  throw unreadableImage('is truncated: rows of pixels are missing')
}

function startRow(cursor: Cursor): void {
  cursor.x = 0
  cursor.row += 1
}

function skip(cursor: Cursor, file: Buffer): void {
  cursor.x += file[cursor.at] ?? 0
  cursor.row += file[cursor.at + 1] ?? 0
  cursor.at += 2
}

type Literal = { file: Buffer; cursor: Cursor; count: number }

function paintLiteral(data: Uint8Array, header: BmpHeader, { file, cursor, count }: Literal): void {
  const perByte = 8 / header.bitsPerPixel
  const from = cursor.at
  const indexOf = (pixel: number) => indexIn(file[from + Math.floor(pixel / perByte)] ?? 0, pixel, header)
  paint(data, header, { cursor, count, indexOf })
  const bytes = Math.ceil(count / perByte)
  cursor.at += bytes + (bytes % 2)
}

/** Returns the palette index of a run's pixel: in RLE4 a byte holds two alternating indexes. */
function indexIn(byte: number, pixel: number, { bitsPerPixel }: BmpHeader): number {
  if (bitsPerPixel === 8) return byte
  return pixel % 2 === 0 ? byte >> 4 : byte & 15
}

type Run = { cursor: Cursor; count: number; indexOf: (pixel: number) => number }

function paint(
  data: Uint8Array,
  { width, height, isTopDown, palette }: BmpHeader,
  { cursor, count, indexOf }: Run,
): void {
  const row = isTopDown ? cursor.row : height - 1 - cursor.row
  const fitting = Math.min(count, width - cursor.x)
  for (let pixel = 0; pixel < fitting; pixel += 1) {
    const from = indexOf(pixel) * 3
    const to = (row * width + cursor.x + pixel) * 3
    for (let channel = 0; channel < 3; channel += 1) data[to + channel] = palette[from + channel] ?? 0
  }
  cursor.x += count
}

/** Headers of a BMP file. */
type BmpHeader = {
  width: number
  height: number
  /** True if the first row is the top row; most files store the bottom row first. */
  isTopDown: boolean
  bitsPerPixel: 1 | 2 | 4 | 8 | 16 | 24 | 32
  compression: 'none' | 'rle4' | 'rle8'
  /** Bit masks of the channels of 16 and 32 bit pixels; 0 for an absent channel. */
  masks: { red: number; green: number; blue: number; alpha: number }
  /** Red, green and blue of each colour in sequence; empty if pixels carry their own colours. */
  palette: Uint8Array
  /** Offset of the pixels in bytes. */
  pixelsAt: number
  /** Pixels per inch; `null` if unknown. */
  dpi: number | null
}

const FILE_HEADER = 14
/**
 * Sizes of the second header: OS/2 1, OS/2 2 short and long, Windows 3, with masks, with alpha, 4,
 * 5.
 */
const OS2_1 = 12
const OS2_2 = [16, 64]
const METRES_PER_INCH = 0.0254
/** Values of the field `compression`. */
const COMPRESSIONS = { none: 0, rle8: 1, rle4: 2, masks: 3, masksWithAlpha: 6 } as const

/** Parses and checks the headers. Throws `image_unreadable` for damaged or unsupported files. */
function readBmpHeader(file: Buffer): BmpHeader {
  if (file.length < FILE_HEADER + OS2_1 || file.toString('latin1', 0, 2) !== 'BM')
    throw unreadableImage('is truncated or damaged')
  const size = file.readUInt32LE(FILE_HEADER)
  if (file.length < FILE_HEADER + size) throw unreadableImage('is truncated in its header')
  const header = file.subarray(FILE_HEADER, FILE_HEADER + size)
  const { width, height, isTopDown, bits } = size === OS2_1 ? readOldSize(header) : readSize(header)
  if (width < 1 || height < 1) throw unreadableImage('has no pixels')
  const bitsPerPixel = requireBits(bits)
  const stored = size >= 20 ? header.readUInt32LE(16) : COMPRESSIONS.none
  const compression = requireCompression(stored, bitsPerPixel, OS2_2.includes(size))
  const hasMasks = stored === COMPRESSIONS.masks || stored === COMPRESSIONS.masksWithAlpha
  const masks = hasMasks ? readMasks(file, size, stored === COMPRESSIONS.masksWithAlpha) : plainMasks(bitsPerPixel)
  const masksAfterHeader = hasMasks && size === 40 ? (stored === COMPRESSIONS.masksWithAlpha ? 16 : 12) : 0
  const pixelsAt = file.readUInt32LE(10)
  const paletteAt = FILE_HEADER + size + masksAfterHeader
  const palette =
    bitsPerPixel > 8 ? new Uint8Array() : readPalette(file, { at: paletteAt, until: pixelsAt, size, bitsPerPixel })
  const perMetre = size >= 40 ? header.readInt32LE(24) : 0
  const dpi = perMetre > 0 ? Math.round(perMetre * METRES_PER_INCH) : null
  return {
    width,
    height,
    isTopDown,
    bitsPerPixel,
    compression,
    masks,
    palette,
    pixelsAt: pixelsAt || paletteAt + palette.length,
    dpi,
  }
}

type SizeFields = { width: number; height: number; isTopDown: boolean; bits: number }

function readOldSize(header: Buffer): SizeFields {
  return {
    width: header.readUInt16LE(4),
    height: header.readUInt16LE(6),
    isTopDown: false,
    bits: header.readUInt16LE(10),
  }
}

function readSize(header: Buffer): SizeFields {
  if (header.length < 16) throw unreadableImage('has an unknown header')
  const height = header.readInt32LE(8)
  return {
    width: header.readInt32LE(4),
    height: Math.abs(height),
    isTopDown: height < 0,
    bits: header.readUInt16LE(14),
  }
}

function requireBits(bits: number): BmpHeader['bitsPerPixel'] {
  if (bits === 1 || bits === 2 || bits === 4 || bits === 8 || bits === 16 || bits === 24 || bits === 32) return bits
  throw unreadableImage(`has ${bits} bits per pixel, which is not supported`)
}

function requireCompression(stored: number, bits: number, isOs2: boolean): BmpHeader['compression'] {
  if (stored === COMPRESSIONS.none) return 'none'
  if (stored === COMPRESSIONS.rle8 && bits === 8) return 'rle8'
  if (stored === COMPRESSIONS.rle4 && bits === 4) return 'rle4'
  const hasMasks = stored === COMPRESSIONS.masks || stored === COMPRESSIONS.masksWithAlpha
  if (hasMasks && !isOs2 && (bits === 16 || bits === 32)) return 'none'
  throw unreadableImage('has an unsupported compression')
}

function plainMasks(bits: number): BmpHeader['masks'] {
  if (bits === 16) return { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 }
  return { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 }
}

/** The masks are at the same offset, inside or after the header. */
function readMasks(file: Buffer, size: number, hasAlpha: boolean): BmpHeader['masks'] {
  const at = FILE_HEADER + 40
  if (file.length < at + 16) throw unreadableImage('is truncated in its header')
  const alpha = hasAlpha || size >= 56 ? file.readUInt32LE(at + 12) : 0
  return { red: file.readUInt32LE(at), green: file.readUInt32LE(at + 4), blue: file.readUInt32LE(at + 8), alpha }
}

type PalettePlace = { at: number; until: number; size: number; bitsPerPixel: number }

/** Missing colours are black, as in other readers. */
function readPalette(file: Buffer, { at, until, size, bitsPerPixel }: PalettePlace): Uint8Array {
  const step = size === OS2_1 ? 3 : 4
  const most = 2 ** bitsPerPixel
  const end = until > at ? Math.min(until, file.length) : file.length
  const used = size >= 36 ? file.readUInt32LE(FILE_HEADER + 32) : 0
  const count = Math.min(used === 0 ? most : used, most, Math.floor((end - at) / step))
  const palette = new Uint8Array(most * 3)
  for (let index = 0; index < count; index += 1) {
    const entry = at + index * step
    palette[index * 3] = file[entry + 2] ?? 0
    palette[index * 3 + 1] = file[entry + 1] ?? 0
    palette[index * 3 + 2] = file[entry] ?? 0
  }
  return palette
}
