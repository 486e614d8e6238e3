import sharp from 'sharp'
import { ApiError } from '../errors.ts'
import type { ChatPicture } from './chat-model.ts'
import type { RecognitionRequest } from './recognizer.ts'

/**
 * Every provider scales larger images down to 1,500 to 2,048 pixels a side. A4 then has 170 dpi,
 * enough for small print.
 */
const MAX_SIDE = 2_000
/** A larger PNG is a photograph or very noisy, and JPEG loses nothing that matters. */
const MAX_PNG_BYTES = 1_500_000
const JPEG_QUALITY = 85
/** An A0 page at 600 dpi has more pixels, and so has a decompression bomb. */
const MAX_PNG_PIXELS = 100_000_000

/** A page image to send, with its size before scaling. */
export type PictureForModel = { picture: ChatPicture; width: number; height: number }

/**
 * Draws the image on white, at most as large as models read it, as PNG, or as JPEG if the PNG is
 * large. Rejects with `image_unreadable`.
 */
export async function toPictureForModel(image: RecognitionRequest['image']): Promise<PictureForModel> {
  const pixels =
    'data' in image
      ? sharp(image.data, {
          raw: { width: image.width, height: image.height, channels: image.channels },
          limitInputPixels: false,
        })
      : sharp(image.png, { limitInputPixels: MAX_PNG_PIXELS })
  try {
    const { width, height } = 'data' in image ? (image.source ?? image) : await pixels.metadata()
    const scaled = pixels
      .flatten({ background: '#fff' })
      .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
    const png = await scaled.clone().png({ compressionLevel: 6 }).toBuffer()
    if (png.byteLength <= MAX_PNG_BYTES) return { picture: { bytes: png, mediaType: 'image/png' }, width, height }
    const jpeg = await scaled.jpeg({ quality: JPEG_QUALITY }).toBuffer()
    return { picture: { bytes: jpeg, mediaType: 'image/jpeg' }, width, height }
  } catch (error) {
    throw new ApiError('image_unreadable', { cause: error })
  }
}
