import { readFile } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { type ParseEvent, type SourceFile, unreadableImage } from '../parse-event.ts'
import { decodeBmp } from './decode-bmp.ts'
import { getImageFormat, type ImageFormat } from './image-format.ts'

/** Limits of an image. */
type ImageLimits = {
  /** A page with more pixels is refused before decoding. */
  maxPixels: number
  /** A page with more pixels is scaled down while decoding. */
  maxDecodedPixels: number
}

/**
 * 100 million pixels are A0 at 300 dpi, and more than any mobile camera takes; 20 million are A4 at
 * 450 dpi, and 20 MB.
 */
export const IMAGE_LIMITS: ImageLimits = { maxPixels: 100_000_000, maxDecodedPixels: 20_000_000 }

/** Four colours of print, and some inks and masks. */
const MAX_CHANNELS = 16

/** An image whose metadata was read, but not its pixels. */
type ImageFile = {
  format: ImageFormat
  /** Pages of a TIFF, or frames of an animation, which usually differ little. */
  pages: number
  isAnimation: boolean
  /** Size of the first page in upright orientation. */
  width: number
  height: number
  /** Decodes a page, from 1. Rejects with `image_unreadable` if damaged or too large. */
  readPage(page: number): Promise<DecodedPage>
}

/** A page in gray, upright, on white. */
type DecodedPage = {
  /** One byte per pixel, rows from the top, 0 is black. */
  data: Uint8Array
  width: number
  height: number
  channels: 1
  /** Pixels per inch of `data`; `null` without a plausible value. */
  dpi: number | null
  /** Size of the page before scaling. */
  source: { width: number; height: number }
}

/**
 * Opens a PNG, JPEG, WebP, GIF, TIFF or BMP image, detected by content. Rejects with
 * `image_unreadable` for other formats, truncated or damaged images, and too many pixels.
 */
export async function openImage(image: string | Buffer, caps: ImageLimits = IMAGE_LIMITS): Promise<ImageFile> {
  const bytes = typeof image === 'string' ? await readFile(image) : image
  if (bytes.length === 0) throw unreadableImage('is empty')
  const format = getImageFormat(bytes)
  if (format === null) throw unreadableImage('is not a PNG, JPEG, WebP, GIF, TIFF or BMP')
  return format === 'bmp' ? openBmp(bytes, caps) : await openEncoded(bytes, format, caps)
}

const BMP_PIXELS: PixelFacts = { channels: 3, depth: 'uchar', hasAlpha: false, space: 'srgb' }

function openBmp(bytes: Buffer, caps: ImageLimits): ImageFile {
  const { data, width, height, dpi } = decodeBmp(bytes, caps.maxPixels)
  const readPage = () => {
    const pixels = sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
    return decode(pixels, { width, height, dpi: toPlausibleDpi(dpi), pixels: BMP_PIXELS }, caps)
  }
  return { format: 'bmp', pages: 1, isAnimation: false, width, height, readPage }
}

async function openEncoded(bytes: Buffer, format: ImageFormat, caps: ImageLimits): Promise<ImageFile> {
  // `error` treats a truncated file as damaged, which `none` does not, and accepts odd metadata,
  // which `warning` does not.
  const limits = { limitInputPixels: caps.maxPixels, limitInputChannels: MAX_CHANNELS, failOn: 'error' } as const
  const open = (page: number) => sharp(bytes, { page: page - 1, ...limits })
  const { autoOrient, pages = 1 } = await translate(() => open(1).metadata())
  return {
    format,
    pages,
    isAnimation: pages > 1 && format !== 'tiff',
    ...autoOrient,
    readPage: async (page) => {
      const metadata = await translate(() => open(page).metadata())
      return await decode(open(page).autoOrient(), describePage(metadata), caps)
    },
  }
}

type PageFacts = { width: number; height: number; dpi: number | null; pixels: PixelFacts }

function describePage(metadata: Metadata): PageFacts {
  const { autoOrient, density } = metadata
  return { ...autoOrient, dpi: toPlausibleDpi(density ?? null), pixels: metadata }
}

/** Cameras and drawing programs always write 72 or 96; scanners write real values. */
const PLAUSIBLE_DPI = { min: 100, max: 1200 } as const

function toPlausibleDpi(dpi: number | null): number | null {
  return dpi !== null && dpi >= PLAUSIBLE_DPI.min && dpi <= PLAUSIBLE_DPI.max ? dpi : null
}

async function decode(
  pixels: Sharp,
  { width, height, dpi, pixels: pixelFacts }: PageFacts,
  caps: ImageLimits,
): Promise<DecodedPage> {
  const factor = Math.min(1, Math.sqrt(caps.maxDecodedPixels / (width * height)))
  const size = { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) }
  const scaled = factor < 1 ? pixels.resize({ ...size, fit: 'fill' }) : pixels
  const { data, info } = await translate(() => readGray(scaled, pixelFacts))
  return {
    data,
    width: info.width,
    height: info.height,
    channels: 1,
    dpi: dpi === null ? null : Math.round(dpi * factor),
    source: { width, height },
  }
}

/** Maps the decoder's errors; their text goes to the log. */
async function translate<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const isTooLarge = error instanceof Error && /exceeds pixel limit/.test(error.message)
    throw unreadableImage(isTooLarge ? 'has too many pixels to read' : 'is truncated or damaged', error)
  }
}

/**
 * Announces the pages of an image for OCR: all pages of a TIFF, the first frame of an animation. A
 * pixel counts as a point, and all pages get the size of the first. Throws `image_unreadable` as
 * `openImage` does.
 */
export async function* readImage({ path }: Pick<SourceFile, 'path'>): AsyncGenerator<ParseEvent> {
  const { pages, isAnimation, width, height } = await openImage(path)
  const pageCount = isAnimation ? 1 : pages
  yield { pageCount }
  for (let page = 1; page <= pageCount; page++) {
    yield { scan: { page, widthPoints: width, heightPoints: height, text: '' } }
  }
}

/** Pixel format of an image. */
type PixelFacts = Pick<Metadata, 'channels' | 'depth' | 'hasAlpha' | 'space'>

/** Gray pixels: one byte each, rows from the top, 0 is black. */
type GrayPixels = { data: Buffer; info: { width: number; height: number } }

/**
 * Converts any pixels to gray on white: colours, CMYK, 8 to 32 bits, floating point, extra
 * channels. A single extra channel is opacity, if the image shows anything with it. Rejects as the
 * decoder does.
 */
async function readGray(pixels: Sharp, facts: PixelFacts): Promise<GrayPixels> {
  if (!isByteLike(facts)) return await scaleToGray(pixels.clone().removeAlpha())
  if (facts.hasAlpha && facts.channels === countColours(facts) + 1) {
    // White text on transparency would be lost on white.
    for (const background of ['#fff', '#000']) {
      const flat = await toGray(pixels.clone().flatten({ background }))
      if (!isUniform(flat.data)) return flat
    }
  }
  // Several extra channels are inks and masks; so is an alpha channel that hides everything.
  return await toGray(pixels.clone().removeAlpha())
}

/** Pixel formats that the decoder scales to bytes correctly; others are truncated. */
function isByteLike({ depth, space }: PixelFacts): boolean {
  return depth === 'uchar' || depth === 'ushort' || space === 'scrgb'
}

function countColours({ space }: PixelFacts): number {
  if (space === 'cmyk') return 4
  return space === 'b-w' || space === 'grey16' ? 1 : 3
}

async function toGray(pixels: Sharp): Promise<GrayPixels> {
  return await pixels.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
}

/** Scales numbers without a known range: the largest is white, the smallest is black. */
async function scaleToGray(pixels: Sharp): Promise<GrayPixels> {
  const { data, info } = await pixels.raw({ depth: 'float' }).toBuffer({ resolveWithObject: true })
  const numbers = new Float32Array(data.buffer, data.byteOffset, data.byteLength / Float32Array.BYTES_PER_ELEMENT)
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of numbers) {
    if (value < min) min = value
    if (value > max) max = value
  }
  const gray = Buffer.alloc(info.width * info.height)
  const scale = max > min ? 255 / (max - min) / info.channels : 0
  for (let index = 0; index < gray.length; index++) {
    let sum = 0
    for (let channel = 0; channel < info.channels; channel++)
      sum += (numbers[index * info.channels + channel] ?? 0) - min
    gray[index] = Math.round(sum * scale)
  }
  return { data: gray, info }
}

/** Less contrast between the darkest and the lightest pixel shows nothing. */
const MIN_CONTRAST = 16

function isUniform(data: Buffer): boolean {
  let min = 255
  let max = 0
  for (const value of data) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return max - min < MIN_CONTRAST
}
