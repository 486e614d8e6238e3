import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { renderPage } from '../../src/parsers/pdf/render-page.ts'
import { createRandom } from '../random.ts'
import { makePdf } from './make-pdf.ts'

/** The pixels of a page, one byte each. */
export type GrayPicture = { data: Buffer; width: number; height: number }

const SEED = 7
const PAPER = { white: 0.9, black: 15 } as const

/** Draws a page of these lines like a perfect scan. Writes temporary files to `folder`. */
export async function drawLines(lines: readonly string[], dpi: number, folder: string): Promise<GrayPicture> {
  const path = join(folder, 'page.pdf')
  const pdf = makePdf([{ lines }])
  writeFileSync(path, pdf)
  try {
    const source = { path, bytes: pdf.length, filename: null, declaredType: null }
    const { data, width, height } = await renderPage(source, 1, { dpi, colours: 'gray' })
    return { data: Buffer.from(data), width, height }
  } finally {
    rmSync(path)
  }
}

/**
 * Rotates the page by some degrees and adds grey and noise of the given deviation, like a worn
 * scanner; deterministic.
 */
export async function wear(
  page: GrayPicture,
  { degrees, sigma }: { degrees: number; sigma: number },
): Promise<GrayPicture> {
  const turned = await open(page)
    .rotate(degrees, { background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const random = createRandom(SEED)
  const data = turned.data.map((value: number) => {
    // Three uniform numbers approximate a normal distribution; their sum has a deviation of a half.
    const noise = (random() + random() + random() - 1.5) * 2 * sigma
    return Math.min(255, Math.max(0, value * PAPER.white + PAPER.black + noise))
  })
  return { data: Buffer.from(data), width: turned.info.width, height: turned.info.height }
}

/** The page as a PNG with its resolution. */
export async function toPng(page: GrayPicture, dpi: number): Promise<Buffer> {
  return open(page).withMetadata({ density: dpi }).png().toBuffer()
}

/** The page as scanners embed it in a PDF. */
export async function toJpeg(page: GrayPicture): Promise<{ data: Buffer; width: number; height: number }> {
  const data = await open(page).toColourspace('b-w').jpeg({ quality: 80 }).toBuffer()
  return { data, width: page.width, height: page.height }
}

function open({ data, width, height }: GrayPicture): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } })
}
