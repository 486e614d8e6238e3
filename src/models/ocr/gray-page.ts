import sharp, { type Sharp } from 'sharp'
import { ApiError } from '../../errors.ts'
import type { RecognitionRequest } from '../recognizer.ts'

/** A page for the engine: one byte per pixel, 0 is black. */
export type GrayPage = { data: Uint8Array; width: number; height: number }

/** An A0 page at 600 dpi has more pixels, and so has a decompression bomb. */
const MAX_PNG_PIXELS = 100_000_000

/**
 * Converts an image to gray on white. Rejects with `image_unreadable` for a damaged or far too
 * large PNG.
 */
export async function toGrayPage(image: RecognitionRequest['image']): Promise<GrayPage> {
  if ('data' in image && image.channels === 1) return image
  const pixels = 'data' in image ? openRaw(image) : sharp(image.png, { limitInputPixels: MAX_PNG_PIXELS })
  try {
    return await readGray(pixels.flatten({ background: '#fff' }))
  } catch (error) {
    throw new ApiError('image_unreadable', { cause: error })
  }
}

/** Opens an image pipeline over a gray page. */
export function openGray({ data, width, height }: GrayPage): Sharp {
  return openRaw({ data, width, height, channels: 1 })
}

/** Runs an image pipeline, and returns a gray page. */
export async function readGray(pixels: Sharp): Promise<GrayPage> {
  const { data, info } = await pixels.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

function openRaw({ data, width, height, channels }: GrayPage & { channels: 1 | 3 | 4 }): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
}
