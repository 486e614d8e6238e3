import { unreadableImage } from '../parse-event.ts'
import { type BmpHeader, readBmpHeader } from './bmp-header.ts'

/** A picture in RGB, rows from the top, transparent parts on white. */
type BmpImage = { data: Uint8Array; width: number; height: number; dpi: number | null }

/**
 * Decodes a BMP file of any usual kind: 1 to 32 bits, palettes, bit fields with alpha, run lengths, top-down, the headers of
 * OS/2 and of Windows 3 to 5. Throws `image_unreadable` where it is cut off, damaged, of another kind, or has more than `maxPixels`,
 * which is looked at before anything is unpacked.
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
  // Rows are padded to four bytes; the last one may lack its padding.
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8)
  const stride = Math.ceil(rowBytes / 4) * 4
  if (file.length < pixelsAt + (height - 1) * stride + rowBytes)
    throw unreadableImage('is cut off: rows of pixels are missing')
  const readPixel = createPixelReader(file, header)
  const data = new Uint8Array(width * height * 3)
  for (let row = 0; row < height; row += 1) {
    const from = pixelsAt + row * stride
    let to = (isTopDown ? row : height - 1 - row) * width * 3
    for (let x = 0; x < width; x += 1, to += 3) readPixel(data, to, { row: from, x })
  }
  return data
}

/** Writes red, green and blue of pixel `x` of the row that begins at byte `row` of the file into `target`. */
type ReadPixel = (target: Uint8Array, to: number, from: { row: number; x: number }) => void

/** How the pixels of an uncompressed file are read. The caller has seen to it that the rows are there. */
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

/** Where the decoder stands: in the file, and in the picture counted in rows as stored. */
type Cursor = { at: number; x: number; row: number }

/** Second byte of an escape; larger ones are the length of pixels that follow as they are. */
const END_OF_ROW = 0
const END_OF_PICTURE = 1
const SKIP = 2

/**
 * Decodes RLE8 and RLE4. Pixels that the runs leave out are white, as in browsers. Runs beyond the end of a row are cut. Throws
 * `image_unreadable` when the data ends before the last row.
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
  throw unreadableImage('is cut off: rows of pixels are missing')
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

/** The colour of a run's pixel: in RLE4 a byte holds two, which take turns. */
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
