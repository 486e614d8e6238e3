import { unreadableImage } from '../parse-event.ts'

/** What stands in front of the pixels of a BMP file. */
export type BmpHeader = {
  width: number
  height: number
  /** The first row is the upper one; it is the lowest in most files. */
  isTopDown: boolean
  bitsPerPixel: 1 | 2 | 4 | 8 | 16 | 24 | 32
  compression: 'none' | 'rle4' | 'rle8'
  /** Bits of each channel of 16 and 32 bit pixels; 0 where there is none. */
  masks: { red: number; green: number; blue: number; alpha: number }
  /** Red, green, blue of each colour, one after another; empty where pixels carry colours themselves. */
  palette: Uint8Array
  /** Where the pixels begin, in bytes. */
  pixelsAt: number
  /** Pixels an inch; `null` when the file does not say. */
  dpi: number | null
}

const FILE_HEADER = 14
/** Sizes of the second header: OS/2 1, OS/2 2 short and long, Windows 3, with masks, with alpha, 4, 5. */
const OS2_1 = 12
const OS2_2 = [16, 64]
const METRES_PER_INCH = 0.0254
/** Values of the field `compression`. */
const COMPRESSIONS = { none: 0, rle8: 1, rle4: 2, masks: 3, masksWithAlpha: 6 } as const

/** Reads and checks the headers. Throws `image_unreadable` for what is damaged or of a kind that is not read. */
export function readBmpHeader(file: Buffer): BmpHeader {
  if (file.length < FILE_HEADER + OS2_1 || file.toString('latin1', 0, 2) !== 'BM')
    throw unreadableImage('is cut off or damaged')
  const size = file.readUInt32LE(FILE_HEADER)
  if (file.length < FILE_HEADER + size) throw unreadableImage('is cut off in its header')
  const header = file.subarray(FILE_HEADER, FILE_HEADER + size)
  const { width, height, isTopDown, bits } = size === OS2_1 ? readOldSize(header) : readSize(header)
  if (width < 1 || height < 1) throw unreadableImage('says it has no pixels')
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
  if (header.length < 16) throw unreadableImage('has a header of a kind that is not known')
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
  throw unreadableImage(`has ${bits} bits a pixel, which no BMP reader knows`)
}

function requireCompression(stored: number, bits: number, isOs2: boolean): BmpHeader['compression'] {
  if (stored === COMPRESSIONS.none) return 'none'
  if (stored === COMPRESSIONS.rle8 && bits === 8) return 'rle8'
  if (stored === COMPRESSIONS.rle4 && bits === 4) return 'rle4'
  const hasMasks = stored === COMPRESSIONS.masks || stored === COMPRESSIONS.masksWithAlpha
  if (hasMasks && !isOs2 && (bits === 16 || bits === 32)) return 'none'
  throw unreadableImage('is compressed in a way that is not read')
}

function plainMasks(bits: number): BmpHeader['masks'] {
  if (bits === 16) return { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 }
  return { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 }
}

/** The masks stand at the same place, whether the header counts them as its own or not. */
function readMasks(file: Buffer, size: number, hasAlpha: boolean): BmpHeader['masks'] {
  const at = FILE_HEADER + 40
  if (file.length < at + 16) throw unreadableImage('is cut off in its header')
  const alpha = hasAlpha || size >= 56 ? file.readUInt32LE(at + 12) : 0
  return { red: file.readUInt32LE(at), green: file.readUInt32LE(at + 4), blue: file.readUInt32LE(at + 8), alpha }
}

type PalettePlace = { at: number; until: number; size: number; bitsPerPixel: number }

/** Colours that are missing are black, as other readers have it. */
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
