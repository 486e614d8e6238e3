/** Readable image formats, by their names in the table of formats. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'bmp'

/** First bytes as Latin-1, with their offset. */
const MAGIC_BYTES: readonly { format: ImageFormat; bytes: string; offset?: number }[] = [
  { format: 'png', bytes: '\x89PNG\r\n\x1a\n' },
  { format: 'jpeg', bytes: '\xff\xd8\xff' },
  { format: 'webp', bytes: 'WEBP', offset: 8 },
  { format: 'gif', bytes: 'GIF87a' },
  { format: 'gif', bytes: 'GIF89a' },
  { format: 'tiff', bytes: 'II*\0' },
  { format: 'tiff', bytes: 'MM\0*' },
  // BigTIFF.
  { format: 'tiff', bytes: 'II+\0' },
  { format: 'tiff', bytes: 'MM\0+' },
]
/**
 * The magic of BMP is two letters that also begin words, so the size of the second header is
 * checked too.
 */
const BMP_HEADER_SIZES = [12, 16, 40, 52, 56, 64, 108, 124]

/** Detects the image format by the first 18 bytes; `null` for none. */
export function getImageFormat(head: Uint8Array): ImageFormat | null {
  const start = Buffer.from(head.subarray(0, 18))
  const latin = start.toString('latin1')
  const isBmp = latin.startsWith('BM') && start.length === 18 && BMP_HEADER_SIZES.includes(start.readUInt32LE(14))
  return MAGIC_BYTES.find(({ bytes, offset = 0 }) => latin.startsWith(bytes, offset))?.format ?? (isBmp ? 'bmp' : null)
}
