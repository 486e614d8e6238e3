import { unreadableImage } from '../unreadable-image.ts'
import type { BmpHeader } from './bmp-header.ts'

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
export function decodeRuns(file: Buffer, header: BmpHeader): Uint8Array {
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
