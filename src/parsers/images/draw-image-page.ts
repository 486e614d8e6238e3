import sharp, { type Sharp } from 'sharp'
import { IMAGE_LIMITS, openImage } from './open-image.ts'

/** Larger images are scaled down before anything else: the displayed image is smaller anyway. */
const MAX_PIXELS = 4_000_000

/**
 * Draws a page of an image, from 1, upright and in colour. `scale` is relative to the file's
 * pixels. Rejects with `image_unreadable`, and with RangeError for a missing page.
 */
export async function drawImagePage(
  path: string,
  page: number,
): Promise<{ picture: Sharp; width: number; height: number; scale: number }> {
  const image = await openImage(path)
  if (!Number.isInteger(page) || page < 1 || page > (image.isAnimation ? 1 : image.pages)) {
    throw new RangeError(`no page ${page}`)
  }
  // Detects damaged and oversized images. BMP is decoded here only.
  const { data, width, height, source } = await image.readPage(page)
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (source.width * source.height)))
  const size = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  }
  const pixels =
    image.format === 'bmp'
      ? sharp(data, { raw: { width, height, channels: 1 } })
      : sharp(path, { page: page - 1, limitInputPixels: IMAGE_LIMITS.maxPixels }).autoOrient()
  // Highlights are yellow and need colour.
  const drawn = await pixels
    .flatten({ background: 'white' })
    .resize({ ...size, fit: 'fill' })
    .toColourspace('srgb')
    .png()
    .toBuffer()
  return { picture: sharp(drawn), ...size, scale }
}

/** Part of an image, in pixels from the upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }

/** Maximum number of boxes per page: a full page of text. */
const MAX_BOXES = 1000
/** Wide enough to read small print on a large screen, and some 300 KB a page of text. */
const MAX_WIDTH = 1400
const PADDING = 2

/** Returns a PNG with the boxes highlighted; text remains readable. Scales wide images down. */
export async function highlightBoxes(
  picture: Sharp,
  { width, height, boxes }: { width: number; height: number; boxes: readonly Box[] },
): Promise<Buffer> {
  const marks = boxes.slice(0, MAX_BOXES).map(toRectangle).join('')
  const overlay = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks}</svg>`,
  )
  const marked =
    boxes.length === 0 ? picture : picture.composite([{ input: overlay, left: 0, top: 0, blend: 'multiply' }])
  const png = await marked.flatten({ background: 'white' }).png({ compressionLevel: 6, palette: false }).toBuffer()
  if (width <= MAX_WIDTH) return png
  return sharp(png).resize({ width: MAX_WIDTH }).png({ compressionLevel: 6 }).toBuffer()
}

function toRectangle({ x, y, width, height }: Box): string {
  const place = `x="${x - PADDING}" y="${y - PADDING}" width="${width + 2 * PADDING}" height="${height + 2 * PADDING}"`
  return `<rect ${place} rx="${PADDING}" fill="#ffee6b"/>`
}
