import sharp, { type Sharp } from 'sharp'
import { IMAGE_CAPS, openImage } from './open-image.ts'

/** Larger pictures are scaled down at once: what is shown is smaller still. */
const MAX_PIXELS = 4_000_000

/** A page of a picture, from 1, upright and in colour, and its size; `scale` is that of the file's own pixels. Rejects with `image_unreadable`, and RangeError where there is no such page. */
export async function drawImagePage(
  path: string,
  page: number,
): Promise<{ picture: Sharp; width: number; height: number; scale: number }> {
  const image = await openImage(path)
  if (!Number.isInteger(page) || page < 1 || page > (image.isAnimation ? 1 : image.pages)) {
    throw new RangeError(`no page ${page}`)
  }
  // What is damaged or too large says so here; a BMP is read by no other.
  const { data, width, height, source } = await image.readPage(page)
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (source.width * source.height)))
  const size = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  }
  const pixels =
    image.format === 'bmp'
      ? sharp(data, { raw: { width, height, channels: 1 } })
      : sharp(path, { page: page - 1, limitInputPixels: IMAGE_CAPS.maxPixels }).autoOrient()
  // Marks are yellow: they need colours to be seen.
  const drawn = await pixels
    .flatten({ background: 'white' })
    .resize({ ...size, fit: 'fill' })
    .toColourspace('srgb')
    .png()
    .toBuffer()
  return { picture: sharp(drawn), ...size, scale }
}

/** A part of a picture, in pixels from its upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }

/** Boxes of a page at most: more are a page full of text. */
const MAX_BOXES = 1000
/** Wide enough to read small print on a large screen, and some 300 KB a page of text. */
const MAX_WIDTH = 1400
const PADDING = 2

/** A PNG of the picture with these parts marked, as with a yellow pen: what is written shows through. Wider ones are scaled down. */
export async function markBoxes(
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
