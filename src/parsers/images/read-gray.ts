import type { Metadata, Sharp } from 'sharp'

/** What a picture says of its pixels. */
export type PixelFacts = Pick<Metadata, 'channels' | 'depth' | 'hasAlpha' | 'space'>

/** Pixels in gray: one byte each, rows from the top, 0 is black. */
export type GrayPixels = { data: Buffer; info: { width: number; height: number } }

/**
 * Brings pixels of any kind into gray on white: colours, CMYK, 8 to 32 bits, numbers with a point, and channels beside the colours, of which a
 * single one is how opaque the picture is, where it shows something that way. Rejects as the decoder does.
 */
export async function readGray(pixels: Sharp, facts: PixelFacts): Promise<GrayPixels> {
  if (!isByteLike(facts)) return await spread(pixels.clone().removeAlpha())
  if (facts.hasAlpha && facts.channels === countColours(facts) + 1) {
    // White writing on nothing would be lost on white paper.
    for (const background of ['#fff', '#000']) {
      const flat = await toGray(pixels.clone().flatten({ background }))
      if (!isPlain(flat.data)) return flat
    }
  }
  // Several channels more are inks and masks; so is one through which nothing is seen.
  return await toGray(pixels.clone().removeAlpha())
}

/** Beside these, the decoder takes numbers for bytes whatever their range. */
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

/** Numbers of which nobody says what is white: the largest is, the smallest is black. */
async function spread(pixels: Sharp): Promise<GrayPixels> {
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

/** Fewer steps between the darkest and the lightest pixel show nothing. */
const MIN_CONTRAST = 16

function isPlain(data: Buffer): boolean {
  let min = 255
  let max = 0
  for (const value of data) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return max - min < MIN_CONTRAST
}
