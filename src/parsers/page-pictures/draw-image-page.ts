import sharp, { type Sharp } from 'sharp'
import { IMAGE_CAPS, openImage } from '../image/open-image.ts'

/** Larger pictures are scaled down at once: what is shown is smaller still. */
const MOST_PIXELS = 4_000_000

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
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (source.width * source.height)))
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
