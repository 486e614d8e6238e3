import { unreadableImage } from '../unreadable-image.ts'
import { type BmpHeader, readBmpHeader } from './bmp-header.ts'
import { decodeRuns } from './decode-runs.ts'
import { createPixelReader } from './pixel-reader.ts'

/** A picture in RGB, rows from the top, transparent parts on white. */
export type BmpImage = { data: Uint8Array; width: number; height: number; dpi: number | null }

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
