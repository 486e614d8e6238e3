import sharp, { type Sharp } from 'sharp'

/** A part of a picture, in pixels from its upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }

/** Boxes of a page at most: more are a page full of text. */
const MOST_BOXES = 1000
/** Wide enough to read small print on a large screen, and some 300 KB a page of text. */
const MOST_WIDTH = 1400
const PADDING = 2

/** A PNG of the picture with these parts marked, as with a yellow pen: what is written shows through. Wider ones are scaled down. */
export async function markBoxes(
  picture: Sharp,
  { width, height, boxes }: { width: number; height: number; boxes: readonly Box[] },
): Promise<Buffer> {
  const marks = boxes.slice(0, MOST_BOXES).map(toRectangle).join('')
  const overlay = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks}</svg>`,
  )
  const marked =
    boxes.length === 0 ? picture : picture.composite([{ input: overlay, left: 0, top: 0, blend: 'multiply' }])
  const png = await marked.flatten({ background: 'white' }).png({ compressionLevel: 6, palette: false }).toBuffer()
  if (width <= MOST_WIDTH) return png
  return sharp(png).resize({ width: MOST_WIDTH }).png({ compressionLevel: 6 }).toBuffer()
}

function toRectangle({ x, y, width, height }: Box): string {
  const place = `x="${x - PADDING}" y="${y - PADDING}" width="${width + 2 * PADDING}" height="${height + 2 * PADDING}"`
  return `<rect ${place} rx="${PADDING}" fill="#ffee6b"/>`
}
